import { defineNuxtModule } from '@nuxt/kit'
import type { NitroConfig } from 'nitropack/types'

/**
 * Nitro would put all of itself, and whatever it needs, into one part of the bundle. Split where it is loaded, the
 * server starts without what only pages need.
 */
export default defineNuxtModule({
  meta: { name: 'split-server' },
  setup(_, nuxt) {
    nuxt.hook('nitro:config', (given) => {
      const config = given as NitroConfig // the hook's type leaves out what not every server builder has
      config.rollupConfig = {
        ...config.rollupConfig,
        output: { ...config.rollupConfig?.output, manualChunks: () => undefined }
      }
    })
  }
})
