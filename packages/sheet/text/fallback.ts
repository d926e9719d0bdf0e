import { readFileSync } from 'node:fs'
import type { Font } from 'fontkit'
import type { Face } from '../layout/style.ts'
import { parseFont, placeGlyphs } from './engine.ts'
import { findFontFile } from './font-files.ts'
import type { LoadedFace } from './fonts.ts'
import { sliceWith, type Family, type Slice } from './scripts.ts'

/** A face beside the ordinary ones: a slice of a family at one weight. */
export interface Fallback extends LoadedFace { key: string, family: Family, font: Font }

const loaded = new Map<string, Fallback | null>()
/** Requested but not loaded yet. */
const missed = new Map<string, { slice: Slice, weight: number }>()

/** The first family that has the character. If its file isn't loaded yet, it is noted for `loadMissed`. */
export function fallbackFor(codePoint: number, families: readonly Family[], face: Face): Fallback | null {
  const weight = face === 'bold' ? 700 : 400
  for (const family of families) {
    const slice = sliceWith(family, codePoint)
    if (!slice) continue
    const key = `${slice.key}/${weight}`
    const known = loaded.get(key)
    if (known === undefined) {
      missed.set(key, { slice, weight })
      return null
    }
    if (known?.metrics.has(codePoint)) return known
  }
  return null
}

export const fallbackNamed = (key: string): Fallback | null => loaded.get(key) ?? null

/** Loads the fonts requested since the last call. Returns false if there were none, so that the layout is final. */
export async function loadMissed(): Promise<boolean> {
  if (missed.size === 0) return false
  const wanted = [...missed]
  missed.clear()
  for (const [key, { slice, weight }] of wanted) loaded.set(key, await load(key, slice, weight))
  return true
}

/** A number fixes an axis of the font. */
interface SubsetOptions {
  targetFormat: 'sfnt'
  variationAxes: Record<string, number>
  keepAllGlyphs: boolean
  noHinting: boolean
}
type SubsetFont = (font: Uint8Array, text: string | undefined, options: SubsetOptions) => Promise<Uint8Array>

let tools: ReturnType<typeof loadTools> | undefined
/** Imported at first use, because most documents need neither. */
async function loadTools() {
  // @ts-expect-error The package has no types.
  const subsetting: Promise<{ default: SubsetFont }> = import('subset-font')
  const [fontkit, { default: subsetFont }] = await Promise.all([import('fontkit'), subsetting])
  return { fontkit, subsetFont }
}

/** Extracts one weight as TrueType for the PDF, because the files are compressed and have all weights. */
async function load(key: string, { family, path }: Slice, weight: number): Promise<Fallback | null> {
  const file = findFontFile(path)
  if (!file) return null
  tools ??= loadTools()
  const { fontkit, subsetFont } = await tools
  const options = { targetFormat: 'sfnt', variationAxes: { wght: weight }, keepAllGlyphs: true, noHinting: true } as const
  const bytes = new Uint8Array(await subsetFont(readFileSync(file), undefined, options))
  const font = parseFont(fontkit as unknown as { create (bytes: Uint8Array): Font }, bytes)
  return { key, family, bytes, font, metrics: metricsOf(font, family) }
}

/** The number of cached widths, so that a long paragraph isn't shaped again for each of its words. */
const MAX_CACHED = 5_000

/** The widths come from the engine, because letters of some scripts change beside each other. */
function metricsOf(font: Font, family: Family): LoadedFace['metrics'] {
  const isShaped = family === 'thai' || family === 'devanagari'
  const known = new Map<string, number>()
  function measure(text: string): number {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    if (known.size >= MAX_CACHED) known.clear()
    const width = placeGlyphs(font, text).reduce((sum, { advance }) => sum + advance, 0)
    known.set(text, width)
    return width
  }
  const partsOf = (text: string) => isShaped ? text.split(/(?<= )/) : Array.from(text)
  return {
    ascent: font.ascent / font.unitsPerEm,
    has: codePoint => font.hasGlyphForCodePoint(codePoint),
    width: (text, size) => partsOf(text).reduce((sum, part) => sum + measure(part), 0) * size / 1000
  }
}
