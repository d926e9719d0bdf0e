import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineNuxtModule } from '@nuxt/kit'

/** Puts the server half of every bundled module into the bundle, each as a chunk of its own: `#official-modules`. */
export default defineNuxtModule({
  meta: { name: 'official-modules' },
  setup(_, nuxt) {
    const folder = join(nuxt.options.rootDir, 'layers')
    const names = readdirSync(folder).filter(name => existsSync(join(folder, name, 'server/index.ts'))).sort()
    const entries = names.map(
      name => `  ${JSON.stringify(name)}: () => import(${JSON.stringify(join(folder, name, 'server/index.ts'))})`
    )

    nuxt.options.nitro.virtual = {
      ...nuxt.options.nitro.virtual,
      '#official-modules': `export default {\n${entries.join(',\n')}\n}\n`
    }
  }
})
