import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addTemplate, defineNuxtModule, useNuxt } from '@nuxt/kit'

/**
 * The clinic's texts, `i18n/staff/<locale>.json` of the shell and of every layer, as one lazy chunk per language:
 * `#build/staff-texts.mjs`. The texts of public pages (`i18n/locales`) stay what a patient's phone loads.
 */
export default defineNuxtModule({
  meta: { name: 'staff-texts' },
  setup() {
    const files = useNuxt().options._layers.flatMap(layer => filesOf(join(layer.config.rootDir, 'i18n/staff')))
    const locales = [...new Set(files.map(file => basename(file, '.json')))].sort()

    for (const locale of locales) {
      const own = files.filter(file => basename(file, '.json') === locale)
      const imports = own.map((file, at) => `import texts${at} from ${JSON.stringify(file)}`)
      addTemplate({
        filename: `staff-texts/${locale}.mjs`,
        write: true,
        getContents: () => `${imports.join('\n')}\nexport default [${own.map((_, at) => `texts${at}`).join(', ')}]\n`
      })
    }
    const entries = locales.map(locale => `  ${locale}: () => import('./staff-texts/${locale}.mjs')`)
    addTemplate({ filename: 'staff-texts.mjs', write: true, getContents: () => `export default {\n${entries.join(',\n')}\n}\n` })
    addTemplate({ filename: 'staff-texts.d.ts', write: true, getContents: () => 'declare const texts: Record<string, () => Promise<{ default: Record<string, unknown>[] }>>\nexport default texts\n' })
    // Not watched: Vite follows a change of a text by itself, Nuxt would start anew for each. A new file needs a restart.
  }
})

const filesOf = (folder: string) => existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')).map(name => join(folder, name)) : []
