import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addTemplate, defineNuxtModule } from '@nuxt/kit'

/**
 * `#build/public-layers.css`: the layers' additions to the style sheet of public pages. A layer's
 * `app/assets/css/public.css` has its own rules, and names with `@source` the files whose classes are needed there. A
 * layer without it may still have public pages, so all of its classes are included, except for our own modules.
 */
export default defineNuxtModule({
  meta: { name: 'public-styles' },
  setup(_, nuxt) {
    const own = join(nuxt.options.rootDir, 'layers/')
    const lines = nuxt.options._layers
      .filter(({ config }) => config.rootDir !== nuxt.options.rootDir)
      .flatMap(({ config: { srcDir, rootDir } }) => {
        const sheet = join(srcDir, 'assets/css/public.css')
        if (existsSync(sheet)) return [`@import ${JSON.stringify(sheet)};`]
        return rootDir.startsWith(own) ? [] : [`@source ${JSON.stringify(join(srcDir, '**/*'))};`]
      })
      .sort() // imports come first
    addTemplate({ filename: 'public-layers.css', write: true, getContents: () => `${lines.join('\n')}\n` })
  }
})
