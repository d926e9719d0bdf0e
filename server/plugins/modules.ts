import type { NitroApp } from 'nitropack/types'
import bundled from '#official-modules'
import routes from '#svc/routes'
import { boot, shutDown } from '../boot.ts'

/**
 * Starts everything that must run before traffic is accepted: `server/core/runtime.ts`. Ends the process if that fails.
 */
export default (nitro: NitroApp) => {
  void boot({ modules: bundled, routes }, {
    // The first page loads the renderer. Under `nuxt dev` it is built on demand.
    pages: async () => {
      if (import.meta.dev) return
      const { status } = await nitro.localFetch('/verify', {})
      if (status !== 200) throw new Error(`the first page answers ${status}`)
    }
  })
  nitro.hooks.hook('close', shutDown)
}
