import { defineNuxtModule } from '@nuxt/kit'
import { listModules } from '../cli/build/module-list.ts'

/** Puts the server half of every bundled module into the bundle. */
export default defineNuxtModule({
  meta: { name: 'official-modules' },
  setup(_, nuxt) {
    nuxt.options.nitro.virtual = {
      ...nuxt.options.nitro.virtual,
      '#official-modules': listModules(nuxt.options.rootDir)
    }
  }
})
