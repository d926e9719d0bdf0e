import type { Font, Glyph } from 'fontkit'

const parsed = new WeakMap<Uint8Array, unknown>()

/**
 * Parsing a font costs more than drawing a page with it, so all documents share the parsed ones; each still gets its
 * own subset.
 */
export function parseFont<T>(
  engine: { create (bytes: Uint8Array, name?: string): T },
  bytes: Uint8Array,
  name?: string
): T {
  const known = parsed.get(bytes)
  if (known) return known as T
  const font = withoutMemory(engine.create(bytes, name))
  parsed.set(bytes, font)
  return font
}

interface Glyphs {
  getGlyph(id: number, codePoints?: number[]): Glyph
  _glyphs: Record<number, unknown>
}

/**
 * The engine caches each glyph with the text of its first use, or without text if it was only part of another glyph
 * (the e of é). Within one document that is harmless, but a later document would lose letters from its text. So other
 * text gets a new glyph.
 */
function withoutMemory<T>(font: T): T {
  const glyphs = font as unknown as Glyphs
  const getGlyph = glyphs.getGlyph.bind(font)
  glyphs.getGlyph = (id, codePoints) => {
    const known = getGlyph(id, codePoints)
    if (!codePoints?.length || known.codePoints.join() === codePoints.join()) return known
    Reflect.deleteProperty(glyphs._glyphs, id)
    return getGlyph(id, codePoints)
  }
  return font
}

/** A glyph with its distance from the previous one, in thousandths of the size. */
export interface Placed {
  /** Its own width. */ width: number
  x: number
  y: number
  advance: number
}

/** Where the font puts the glyphs of a piece of text: marks on their letters, letters at their distance. */
export function placeGlyphs(font: Font, text: string): Placed[] {
  const { glyphs, positions } = font.layout(text)
  const unit = 1000 / font.unitsPerEm
  return glyphs.map(({ advanceWidth }, at) => ({
    width: advanceWidth * unit,
    x: positions[at]!.xOffset * unit,
    y: positions[at]!.yOffset * unit,
    advance: positions[at]!.xAdvance * unit
  }))
}
