import { addTemplate, defineNuxtModule } from '@nuxt/kit'
import colors from 'tailwindcss/colors'
import type { Plugin } from 'vite'

/** As in `app.config.ts`; the rest is Nuxt UI's default. */
const OURS = {
  primary: 'petrol',
  secondary: 'blue',
  success: 'green',
  info: 'blue',
  warning: 'yellow',
  error: 'red',
  neutral: 'zinc'
}
const COLORS_PLUGIN = /@nuxt\/ui\/dist\/runtime\/plugins\/colors\b/
const DRAWER = '/vaul-vue/dist/'
/** The drawer's check that it runs in a browser, before it adds its style element. */
const IN_BROWSER = 'typeof document<"u"'
/** @nuxt/icon's drawing with style elements, which we don't use. */
const ICON_STYLES = /@nuxt\/icon\/dist\/runtime\/components\/css\.js/
const SHADES = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950]

/**
 * Our content policy forbids style elements that a script creates. Nuxt UI writes its colours into one when the browser
 * draws a page. Here they are part of the clinic's style sheet instead, and its plugin is left out.
 */
export default defineNuxtModule({
  meta: { name: 'strict-styles' },
  setup(_, nuxt) {
    addTemplate({
      filename: 'ui-colors.css',
      write: true,
      getContents: () => `@layer theme {\n  :root, :host {\n${lines().join('\n')}\n  }\n}\n`
    })
    nuxt.hook('app:resolve', (app) => {
      const kept = app.plugins.filter(({ src }) => !COLORS_PLUGIN.test(src))
      if (kept.length === app.plugins.length) throw new Error(`strict-styles: no plugin matches ${COLORS_PLUGIN.source}`)
      app.plugins = kept
    })
    // Its drawer, which we don't use, does the same as soon as it is loaded.
    nuxt.hook('vite:extend', ({ config }) => {
      config.plugins?.push(withoutDrawerStyles(), withoutIconStyles())
    })
  }
})

/** Fails the build if the drawer no longer contains the replaced code, so that someone checks the new version. */
function withoutDrawerStyles(): Plugin {
  const found = { drawer: false, styles: false }
  return {
    name: 'strict-styles',
    transform(code, id) {
      if (!id.includes(DRAWER)) return
      found.drawer = true
      if (!code.includes(IN_BROWSER)) return
      found.styles = true
      return code.replace(IN_BROWSER, 'false')
    },
    buildEnd() {
      if (found.drawer && !found.styles) this.error(`strict-styles: ${DRAWER} does not ask ${IN_BROWSER} any more`)
    }
  }
}

/** With them every page would load 1.3 kB of SHA-256, which names their classes. */
const withoutIconStyles = (): Plugin => ({
  name: 'strict-icons',
  load: id => ICON_STYLES.test(id) ? 'export { NuxtIconSvg as NuxtIconCss } from \'./svg.js\'' : undefined
})

function lines(): string[] {
  return Object.entries(OURS).flatMap(([name, color]) => SHADES.map((shade) => {
    const known = (colors as unknown as Record<string, Record<number, string>>)[color]?.[shade]
    return `    --ui-color-${name}-${shade}: var(--color-${color}-${shade}${known ? `, ${known}` : ''});`
  }))
}
