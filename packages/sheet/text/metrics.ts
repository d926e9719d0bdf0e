import { joined } from './arabic.ts'
import { readsFromRight, withoutMark } from './direction.ts'

/** What the layout needs from a TrueType file. */
export interface Metrics {
  /** As a fraction of the em. */
  ascent: number
  has (codePoint: number): boolean
  /**
   * Width in points. Sums advances without kerning, as the PDF does. Arabic letters are measured in their joined forms.
   */
  width (text: string, size: number): number
}

/** Reads `head`, `hhea`, `hmtx` and `cmap` (OpenType 1.9, chapter 5); a whole font engine is only needed to embed. */
export function readMetrics(bytes: Uint8Array): Metrics {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const table = tables(view)
  const unitsPerEm = view.getUint16(table('head') + 18)
  const hhea = table('hhea')
  const longMetrics = view.getUint16(hhea + 34)
  const hmtx = table('hmtx')
  const glyphOf = characterMap(view, table('cmap'))
  const advance = (glyph: number) => view.getUint16(hmtx + 4 * Math.min(glyph, longMetrics - 1))

  return {
    ascent: view.getInt16(hhea + 4) / unitsPerEm,
    has: codePoint => glyphOf(codePoint) !== 0,
    width: (text, size) => {
      let units = 0
      const drawn = readsFromRight(text) ? joined(text) : text
      for (const character of withoutMark(drawn)) units += advance(glyphOf(character.codePointAt(0)!))
      return units * size / unitsPerEm
    }
  }
}

function tables(view: DataView): (tag: string) => number {
  const offsets = new Map<string, number>()
  for (let index = 0; index < view.getUint16(4); index++) {
    const entry = 12 + 16 * index
    const tag = String.fromCharCode(
      view.getUint8(entry),
      view.getUint8(entry + 1),
      view.getUint8(entry + 2),
      view.getUint8(entry + 3)
    )
    offsets.set(tag, view.getUint32(entry + 8))
  }
  return (tag) => {
    const offset = offsets.get(tag)
    if (offset === undefined) throw new Error(`The font has no ${tag} table`)
    return offset
  }
}

/** The map for all of Unicode (platform 3, encoding 10, format 12). */
function characterMap(view: DataView, cmap: number): (codePoint: number) => number {
  for (let index = 0; index < view.getUint16(cmap + 2); index++) {
    const record = cmap + 4 + 8 * index
    const start = cmap + view.getUint32(record + 4)
    if (view.getUint16(record) === 3 && view.getUint16(record + 2) === 10 && view.getUint16(start) === 12)
      return segmentMap(view, start)
  }
  throw new Error('The font has no full Unicode map')
}

function segmentMap(view: DataView, start: number): (codePoint: number) => number {
  const groups = view.getUint32(start + 12)
  return (codePoint) => {
    let low = 0
    let high = groups - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const group = start + 16 + 12 * middle
      if (codePoint < view.getUint32(group)) high = middle - 1
      else if (codePoint > view.getUint32(group + 4)) low = middle + 1
      else return view.getUint32(group + 8) + codePoint - view.getUint32(group)
    }
    return 0
  }
}
