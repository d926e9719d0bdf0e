import type { PDFDocument, PDFPage, PDFRawStream } from '@pdfme/pdf-lib'
import { givenText } from '../text/direction.ts'

export interface Inspected {
  pages: number
  /** All text in drawing order, one line per run. For right-to-left text see `drawnText`. */ text: string
}

/** Reads a PDF that we made. Throws when it is empty, truncated or cannot be parsed. */
export async function inspectPdf(bytes: Uint8Array): Promise<Inspected> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.subarray(0, 5).toString('latin1') !== '%PDF-') throw new Error('The file does not start with %PDF-')
  if (!file.subarray(-32).toString('latin1').trimEnd().endsWith('%%EOF'))
    throw new Error('The file does not end with %%EOF')
  const lib = await import('@pdfme/pdf-lib')
  const document = await lib.PDFDocument.load(bytes, { updateMetadata: false })
  const pages = document.getPages()
  return { pages: pages.length, text: pages.map(page => textOf(lib, document, page)).join('\n') }
}

type Lib = typeof import('@pdfme/pdf-lib')

/**
 * Follows `/Face size Tf`, `<glyphs> Tj` and ActualText up to each `ET`, and turns glyphs into text with each font's
 * ToUnicode map.
 */
function textOf(lib: Lib, document: PDFDocument, page: PDFPage): string {
  const maps = unicodeMaps(lib, document, page)
  const lines: string[] = []
  let map = new Map<string, string>()
  let line: string[] = []
  /** Inside marked content with ActualText, the glyphs are ignored. */
  let isSaid = false
  for (const [token, font, glyphs, actual] of contentOf(lib, document, page).matchAll(
    /\/(\S+) [\d.]+ Tf|<([0-9A-Fa-f]*)> Tj|\/ActualText <FEFF([0-9A-F]*)>|\b(?:ET|EMC)\b/g
  )) {
    if (font) map = maps.get(font) ?? new Map()
    else if (actual !== undefined) {
      line.push(fromUtf16(actual))
      isSaid = true
    } else if (token === 'EMC') isSaid = false
    else if (token === 'ET') {
      lines.push(line.join(''))
      line = []
    } else if (!isSaid)
      line.push(givenText(glyphs!.match(/.{4}/g)?.map(glyph => map.get(glyph.toUpperCase()) ?? '') ?? []))
  }
  return lines.join('\n')
}

function contentOf(lib: Lib, document: PDFDocument, page: PDFPage): string {
  const contents = page.node.Contents()
  const parts
    = contents instanceof lib.PDFArray ? contents.asArray().map(part => document.context.lookup(part)) : [contents]
  return parts.map(part => part instanceof lib.PDFRawStream ? decoded(lib, part) : '').join('\n')
}

const decoded = (lib: Lib, stream: PDFRawStream): string =>
  Buffer.from(lib.decodePDFRawStream(stream).decode()).toString('latin1')

function unicodeMaps(lib: Lib, document: PDFDocument, page: PDFPage): Map<string, Map<string, string>> {
  const fonts = page.node.Resources()?.lookupMaybe(lib.PDFName.of('Font'), lib.PDFDict)
  return new Map((fonts?.entries() ?? []).map(([key, value]) => {
    const stream = document.context.lookup(value, lib.PDFDict).lookup(lib.PDFName.of('ToUnicode'))
    return [key.decodeText(), stream instanceof lib.PDFRawStream ? glyphMap(decoded(lib, stream)) : new Map()]
  }))
}

/** `<0001> <0043>` of a CMap: glyph → UTF-16. */
const glyphMap = (cmap: string): Map<string, string> =>
  new Map(Array.from(cmap.matchAll(/<([0-9A-F]{4})> <((?:[0-9A-F]{4})+)>/gi), ([, glyph, units]) =>
    [glyph!.toUpperCase(), fromUtf16(units!)]))

const fromUtf16 = (units: string): string =>
  units.replace(/.{4}/g, unit => String.fromCharCode(Number.parseInt(unit, 16)))
