import { addTemplate, defineNuxtModule } from '@nuxt/kit'

const PLUGIN = /@nuxtjs\/i18n\/dist\/runtime\/plugins\//
/** The other plugins serve addresses with a language, which we don't use. */
const NEEDED = /\/plugins\/(?:i18n|route-locale-detect)\b/

/**
 * vue-i18n and @nuxtjs/i18n would be a sixth of the script that a patient's phone loads. There a few lines read the
 * same texts (`app/plugins/public-texts.client.ts`). Their plugins still run on the server, and in the browser through
 * `#build/staff-i18n.mjs`, which the clinic's pages load. `useI18n` is our own and works with either.
 *
 * It must come after @nuxtjs/i18n in the list of modules.
 */
export default defineNuxtModule({
  meta: { name: 'public-texts' },
  setup(_, nuxt) {
    const plugins: string[] = []
    nuxt.hook('app:resolve', (app) => {
      const found = app.plugins.filter(({ src }) => PLUGIN.test(src))
      for (const plugin of found) plugin.mode = 'server'
      plugins.splice(0, Infinity, ...found.map(({ src }) => src).filter(src => NEEDED.test(src)).sort())
      if (plugins.length !== 2) throw new Error(`public-texts: not the plugins of @nuxtjs/i18n: ${plugins.join(', ')}`)
    })
    nuxt.hook('imports:extend', (imports) => {
      const at = imports.findIndex(({ name, from }) => name === 'useI18n' && from === 'vue-i18n')
      if (at < 0) throw new Error('public-texts: @nuxtjs/i18n does not import useI18n any more')
      imports.splice(at, 1)
    })
    addTemplate({
      filename: 'staff-i18n.mjs',
      write: true,
      getContents: () => `${plugins.map((src, at) => `import plugin${at} from ${JSON.stringify(src)}`).join('\n')}
export default [${plugins.map((_, at) => `plugin${at}`).join(', ')}]\n`
    })
    addTemplate({
      filename: 'staff-i18n.d.ts',
      write: true,
      getContents: () => 'import type { Plugin } from \'#app\'\ndeclare const plugins: Plugin[]\nexport default plugins\n'
    })
  }
})
