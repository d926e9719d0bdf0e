import { readFileSync } from 'node:fs'
import { findFontFile } from './font-files.ts'

/** The families for scripts that the ordinary font lacks. Each is split into files by code points. */
const FAMILIES = ['sc', 'tc', 'jp', 'kr', 'thai', 'devanagari', 'hebrew', 'emoji'] as const
export type Family = (typeof FAMILIES)[number]

const packageOf = (family: Family) => family === 'emoji' ? 'noto-emoji' : `noto-sans-${family}`

/** Names of the scripts that documents can be written in, with the families that each needs. */
const SCRIPTS: [name: string, families: Family[]][] = [
  ['Latin', []],
  ['Greek', []],
  ['Cyrillic', []],
  ['Arabic', []],
  ['Chinese', ['sc', 'tc']],
  ['Japanese', ['jp']],
  ['Korean', ['kr']],
  ['Thai', ['thai']],
  ['Devanagari', ['devanagari']],
  ['Hebrew', ['hebrew']],
  ['Emoji', ['emoji']]
]

/** One file of a family, and the code points that it contains. */
export interface Slice { family: Family, key: string, path: string, ranges: [from: number, to: number][] }

const slices = new Map<Family, Slice[]>()

/** Returns an empty list if the package isn't installed. */
export function slicesOf(family: Family): Slice[] {
  const known = slices.get(family)
  if (known) return known
  const name = packageOf(family)
  const index = findFontFile(`@fontsource-variable/${name}/unicode.json`)
  const ranges = index ? JSON.parse(readFileSync(index, 'utf8')) as Record<string, string> : {}
  const fresh = Object.entries(ranges).map(([part, text]): Slice => {
    const id = part.replace(/[[\]]/g, '')
    const path = `@fontsource-variable/${name}/files/${name}-${id}-wght-normal.woff2`
    return { family, key: `${family}/${id}`, path, ranges: rangesIn(text) }
  })
  slices.set(family, fresh)
  return fresh
}

/** Parses `U+4e00-4eff,U+5b57`. */
const rangesIn = (text: string): Slice['ranges'] =>
  text.split(',').map((range) => {
    const [from, to = from] = range.replace(/^U\+/i, '').split('-').map(hex => Number.parseInt(hex, 16))
    return [from!, to!]
  })

const places = new Map<string, Slice | undefined>()

export function sliceWith(family: Family, codePoint: number): Slice | undefined {
  const place = `${family} ${codePoint}`
  if (!places.has(place)) {
    const isIn = ([from, to]: Slice['ranges'][number]) => from <= codePoint && codePoint <= to
    places.set(place, slicesOf(family).find(({ ranges }) => ranges.some(isIn)))
  }
  return places.get(place)
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u

/** Chinese characters look a little different in each country, so the letters beside them decide the font. */
export function familiesFor(text: string): readonly Family[] {
  if (KANA.test(text)) return ['jp', ...FAMILIES.filter(family => family !== 'jp')]
  if (HANGUL.test(text)) return ['kr', ...FAMILIES.filter(family => family !== 'kr')]
  return FAMILIES
}

/** The scripts that documents can be written in here, and those whose fonts are not installed. */
export function coveredScripts(): { covered: string[], missing: string[] } {
  const isThere = ([, families]: (typeof SCRIPTS)[number]) => families.every(family => slicesOf(family).length > 0)
  const names = (entries: typeof SCRIPTS) => entries.map(([name]) => name)
  return { covered: names(SCRIPTS.filter(isThere)), missing: names(SCRIPTS.filter(entry => !isThere(entry))) }
}
