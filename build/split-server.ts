import { defineNuxtModule } from '@nuxt/kit'
import type { NitroConfig } from 'nitropack/types'

/**
 * Nitro would put itself and all of its dependencies into one chunk. Split at its dynamic import, the server starts
 * without code that only pages need.
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
