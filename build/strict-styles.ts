import { addTemplate, defineNuxtModule } from '@nuxt/kit'
import colors from 'tailwindcss/colors'

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
const SHADES = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950]

/**
 * The policy of our pages lets in no style element that a script makes. Nuxt UI writes its colours into one when the
 * browser draws a page; here they are a part of the style sheet, and its plugin is left out.
 */
export default defineNuxtModule({
  meta: { name: 'strict-styles' },
  setup(_, nuxt) {
    const { dst } = addTemplate({
      filename: 'ui-colors.css',
      write: true,
      getContents: () => `@layer theme {\n  :root, :host {\n${lines().join('\n')}\n  }\n}\n`
    })
    nuxt.options.css.unshift(dst)
    nuxt.hook('app:resolve', (app) => {
      app.plugins = app.plugins.filter(({ src }) => !/@nuxt\/ui\/dist\/runtime\/plugins\/colors\b/.test(src))
    })
    // Its drawer, which no page of ours has, does the same as soon as it is loaded.
    nuxt.hook('vite:extend', ({ config }) => {
      config.plugins?.push({
        name: 'strict-styles',
        transform: (code, id) =>
          id.includes('/vaul-vue/dist/') ? code.replace('typeof document<"u"', 'false') : undefined
      })
    })
  }
})

function lines(): string[] {
  return Object.entries(OURS).flatMap(([name, color]) => SHADES.map((shade) => {
    const known = (colors as unknown as Record<string, Record<number, string>>)[color]?.[shade]
    return `    --ui-color-${name}-${shade}: var(--color-${color}-${shade}${known ? `, ${known}` : ''});`
  }))
}
