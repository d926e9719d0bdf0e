import type { NitroApp } from 'nitropack/types'
import bundled from '#official-modules'
import routes from '#svc/routes'
import { boot, shutDown } from '../boot.ts'

/** Starts what runs before traffic is accepted: `server/core/runtime.ts`. Ends the process itself when it fails. */
export default (nitro: NitroApp) => {
  void boot({ modules: bundled, routes }, {
    // The first page loads all that draws pages. Under `nuxt dev` it is built when it is asked for.
    pages: async () => {
      if (import.meta.dev) return
      const { status } = await nitro.localFetch('/verify', {})
      if (status !== 200) throw new Error(`the first page answers ${status}`)
    }
  })
  nitro.hooks.hook('close', shutDown)
}
