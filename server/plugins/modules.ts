import { defineNitroPlugin } from 'nitropack/runtime'
import bundled from '#official-modules'
import { boot, shutDown } from '../boot.ts'

/** What runs before traffic is accepted: `server/core/runtime.ts`. */
export default defineNitroPlugin((nitro) => {
  void boot(bundled) // ends the process itself when it fails
  nitro.hooks.hook('close', shutDown)
})
