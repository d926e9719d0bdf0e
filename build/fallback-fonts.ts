import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { addTemplate, defineNuxtModule } from '@nuxt/kit'
import type { NitroConfig } from 'nitropack/types'
import type { FontSheet } from '../shared/fallback-fonts.ts'

/** A family on npm, cut into files by code points, and the device's own fonts for the same script. */
interface Family { name: string, local: string[] }

const CHINESE = ['PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', 'Source Han Sans SC']
const TRADITIONAL = ['PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', 'Noto Sans TC', ...CHINESE]
const JAPANESE = ['Hiragino Sans', 'Hiragino Kaku Gothic ProN', 'Yu Gothic', 'Noto Sans CJK JP', 'Noto Sans JP']
const KOREAN = ['Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans CJK KR', 'Noto Sans KR']
const THAI = ['Thonburi', 'Leelawadee UI', 'Noto Sans Thai']
const DEVANAGARI = ['Kohinoor Devanagari', 'Nirmala UI', 'Noto Sans Devanagari']
const HEBREW = ['Arial Hebrew', 'Segoe UI', 'Noto Sans Hebrew', 'Arial']
const EMOJI = ['Apple Color Emoji', 'Segoe UI Emoji', 'Noto Color Emoji']

/** Where two families of a sheet have a character, the browser takes the later one. */
const SHEETS: Record<FontSheet, Family[]> = {
  chinese: [{ name: 'noto-sans-tc', local: TRADITIONAL }, { name: 'noto-sans-sc', local: CHINESE }],
  japanese: [{ name: 'noto-sans-jp', local: JAPANESE }],
  korean: [{ name: 'noto-sans-kr', local: KOREAN }],
  others: [
    { name: 'noto-sans-thai', local: THAI },
    { name: 'noto-sans-devanagari', local: DEVANAGARI },
    { name: 'noto-sans-hebrew', local: HEBREW },
    { name: 'noto-emoji', local: EMOJI }
  ]
}
const YEAR = 365 * 24 * 60 * 60

/**
 * Fonts for names in scripts that Inter lacks, as a style sheet for each group of scripts: a page loads one only when
 * it shows such a character (`shared/fallback-fonts.ts`), and a browser downloads a font only where the device has
 * none. `#build/fallback-fonts.mjs` and, for the server, `#svc/fallback-fonts` hold the folder of the sheets.
 */
export default defineNuxtModule({
  meta: { name: 'fallback-fonts' },
  setup(_, nuxt) {
    const families = Object.values(SHEETS).flat().map(({ name }) => name)
    const sheets = Object.entries(SHEETS).map(([sheet, families]) => [sheet, families.map(rulesOf).join('\n')] as const)
    const hash = createHash('sha256').update(JSON.stringify([sheets, families.map(versionOf)])).digest('hex').slice(0, 8)
    const url = `/_fonts/${hash}`
    for (const [sheet, css] of sheets)
      addTemplate({ filename: `fallback-fonts/${sheet}.css`, write: true, getContents: () => css })

    const code = `export default ${JSON.stringify(url)}\n`
    addTemplate({ filename: 'fallback-fonts.mjs', write: true, getContents: () => code })
    addTemplate({
      filename: 'fallback-fonts.d.ts',
      write: true,
      getContents: () => 'declare const url: string\nexport default url\n'
    })
    nuxt.hook('nitro:config', (given) => {
      const config = given as NitroConfig // the hook's type leaves out what not every server builder has
      config.virtual = { ...config.virtual, '#svc/fallback-fonts': code }
      const dirs = [join(nuxt.options.buildDir, 'fallback-fonts'), ...families.map(name => join(packageOf(name), 'files'))]
      config.publicAssets = [...(config.publicAssets ?? []), ...dirs.map(dir => ({ dir, baseURL: url, maxAge: YEAR }))]
    })
  }
})

const require = createRequire(import.meta.url)
const packageOf = (name: string) => dirname(require.resolve(`@fontsource-variable/${name}/unicode.json`))
const readJson = (name: string, file: string) =>
  JSON.parse(readFileSync(join(packageOf(name), file), 'utf8')) as Record<string, string>
const versionOf = (name: string) => readJson(name, 'package.json').version

/** One rule per file. Files with Latin, Greek and Cyrillic letters are left out: Inter has them. */
function rulesOf({ name, local }: Family): string {
  const device = local.map(font => `local(${JSON.stringify(font)})`).join()
  return Object.entries(readJson(name, 'unicode.json'))
    .map(([part, ranges]) => [part.replace(/[[\]]/g, ''), ranges] as const)
    .filter(([part]) => !/^(?:latin|greek|cyrillic|vietnamese)/.test(part))
    .map(([part, ranges]) => {
      const file = `url(${name}-${part}-wght-normal.woff2)format("woff2")`
      const face = `font-family:"Other Scripts";font-weight:100 900;font-display:swap;src:${device},${file}`
      return `@font-face{${face};unicode-range:${ranges}}`
    })
    .join('\n')
}
