import { defineNitroPlugin } from 'nitropack/runtime'
import bundled from '#official-modules'
import { boot, shutDown } from '../boot.ts'

/** What runs before traffic is accepted: `server/core/runtime.ts`. The built server's entry does it itself. */
export default defineNitroPlugin((nitro) => {
  if (!import.meta.dev) return
  void boot(bundled) // ends the process itself when it fails
  nitro.hooks.hook('close', shutDown)
})
