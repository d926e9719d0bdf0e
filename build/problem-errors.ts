import { join } from 'node:path'
import { defineNuxtModule } from '@nuxt/kit'
import type { NitroConfig } from 'nitropack/types'

/**
 * Puts our error handler before Nuxt's, so that errors that ours ignores (pages) get the screen of `app/error.vue`. Set
 * in `nitro.errorHandler`, ours would replace Nuxt's.
 */
export default defineNuxtModule({
  meta: { name: 'problem-errors' },
  setup(_, nuxt) {
    nuxt.hook('nitro:config', (given) => {
      const config = given as NitroConfig // the hook's type leaves out what not every server builder has
      const others = config.errorHandler ?? []
      config.errorHandler = [join(nuxt.options.rootDir, 'server/error-handler.ts'), ...[others].flat()]
    })
  }
})
