import type { NitroApp } from 'nitropack/types'
import bundled from '#official-modules'
import { boot, shutDown } from '../boot.ts'

/** What runs before traffic is accepted: `server/core/runtime.ts`. Ends the process itself when it fails. */
export const beginBoot = () => void boot(bundled)

/** Under `nuxt dev` Nitro calls it; the built server's entry begins before Nitro is loaded. */
export default (nitro: NitroApp) => {
  if (!import.meta.dev) return
  beginBoot()
  nitro.hooks.hook('close', shutDown)
}
