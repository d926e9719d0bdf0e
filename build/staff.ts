import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addTemplate, defineNuxtModule } from '@nuxt/kit'
import type { Nuxt } from 'nuxt/schema'

/**
 * Parts of the shell and of every layer that only the clinic's screens need, so that a patient's phone doesn't load
 * them:
 * - `#build/staff-texts.mjs`: the texts, `i18n/staff/<locale>.json`, one lazy chunk per language;
 * - `#build/staff-parts.mjs`: `app/staff.ts`, where a module adds to the screens of others (palette, sections, event
 *   names);
 * - `#build/staff-icons.mjs`: the plugin of Nuxt UI's icons, which would otherwise run on every page.
 */
export default defineNuxtModule({
  meta: { name: 'staff' },
  setup(_, nuxt) {
    const layers = nuxt.options._layers.map(layer => ({ root: layer.config.rootDir, app: layer.config.srcDir }))
    addTexts(layers.flatMap(({ root }) => filesOf(join(root, 'i18n/staff'))))
    addParts(
      layers
        .flatMap(({ app }) => ['staff.ts', 'staff.js'].map(name => join(app, name)))
        .filter(file => existsSync(file))
    )
    addIcons(nuxt)
  }
})

function addTexts(files: string[]): void {
  const locales = [...new Set(files.map(file => basename(file, '.json')))].sort()
  for (const locale of locales) {
    const own = files.filter(file => basename(file, '.json') === locale)
    const imports = own.map((file, at) => `import texts${at} from ${JSON.stringify(file)}`)
    write(
      `staff-texts/${locale}.mjs`,
      `${imports.join('\n')}\nexport default [${own.map((_, at) => `texts${at}`).join(', ')}]\n`
    )
  }
  const entries = locales.map(locale => `  ${locale}: () => import('./staff-texts/${locale}.mjs')`)
  write('staff-texts.mjs', `export default {\n${entries.join(',\n')}\n}\n`)
  write(
    'staff-texts.d.ts',
    'declare const texts: Record<string, () => Promise<{ default: Record<string, unknown>[] }>>\nexport default texts\n'
  )
}

function addParts(files: string[]): void {
  write(
    'staff-parts.mjs',
    `export default [\n${files.map(file => `  () => import(${JSON.stringify(file)})`).join(',\n')}\n]\n`
  )
  write('staff-parts.d.ts', 'declare const parts: (() => Promise<{ default: () => void }>)[]\nexport default parts\n')
}

const ICON_PLUGIN = /@nuxt\/icon\/dist\/runtime\/plugin\b/

function addIcons(nuxt: Nuxt): void {
  let plugin: string | undefined
  nuxt.hook('app:resolve', (app) => {
    plugin = app.plugins.find(({ src }) => ICON_PLUGIN.test(src))?.src
    if (!plugin) throw new Error(`staff: no plugin matches ${ICON_PLUGIN.source}`)
    app.plugins = app.plugins.filter(({ src }) => src !== plugin)
  })
  addTemplate({
    filename: 'staff-icons.mjs',
    write: true,
    getContents: () => `export { default } from ${JSON.stringify(plugin)}\n`
  })
  write('staff-icons.d.ts', 'import type { Plugin } from \'#app\'\ndeclare const plugin: Plugin\nexport default plugin\n')
}

const write = (filename: string, text: string) => addTemplate({ filename, write: true, getContents: () => text })
const filesOf = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(name => name.endsWith('.json'))
        .map(name => join(folder, name))
    : []
