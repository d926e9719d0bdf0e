import { addTemplate, defineNuxtModule } from '@nuxt/kit'
import colors from 'tailwindcss/colors'

const SHADES = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950] as const
/** As `app/app.config.ts` says; the rest are Nuxt UI's. `petrol` is ours, of main.css. */
const NAMES = { primary: 'petrol', secondary: 'blue', success: 'green', info: 'blue', warning: 'yellow', error: 'red', neutral: 'zinc' } as const

/**
 * Nuxt UI writes its colours into a style element by script, which our content policy refuses on pages that the browser
 * draws. Here they are a style sheet, made at build time, and the plugin is left out.
 */
export default defineNuxtModule({
  meta: { name: 'ui-colors' },
  setup(_, nuxt) {
    const { dst } = addTemplate({ filename: 'ui-colors.css', write: true, getContents: sheet })
    nuxt.options.css.unshift(dst)
    nuxt.hook('app:resolve', (app) => {
      app.plugins = app.plugins.filter(({ src }) => !/@nuxt\/ui\/.*\/plugins\/colors/.test(src))
    })
  }
})

function sheet(): string {
  const shades = Object.entries(NAMES).flatMap(([name, color]) => SHADES.map(shade => `--ui-color-${name}-${shade}: ${valueOf(color, shade)};`))
  const uses = (shade: number) => Object.keys(NAMES).filter(name => name !== 'neutral').map(name => `--ui-${name}: var(--ui-color-${name}-${shade});`)
  return `@layer theme {\n:root, :host { ${shades.join(' ')} }\n:root, :host, .light { ${uses(500).join(' ')} }\n.dark { ${uses(400).join(' ')} }\n}\n`
}

const valueOf = (color: string, shade: typeof SHADES[number]) =>
  color in colors ? (colors as unknown as Record<string, Record<number, string>>)[color]![shade]! : `var(--color-${color}-${shade})`
