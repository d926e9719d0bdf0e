import type { PDFRenderProps, Plugin, Schema } from '@pdfme/common'
import type { PDFOperator } from '@pdfme/pdf-lib'
import { languageFromRight, visualRuns } from '../text/direction.ts'
import { parseFont, placeGlyphs, type Placed } from '../text/engine.ts'
import { fallbackNamed } from '../text/fallback.ts'
import { face } from '../text/fonts.ts'
import type { Run } from '../text/runs.ts'
import { xmpOf, type About } from './metadata.ts'
import type { Face } from '../layout/style.ts'

type Draw = Plugin['pdf']
const POINTS = 2.8346

/**
 * Draws one line of text on its baseline. pdfme's own `text` breaks our laid-out lines a second time and adds a font
 * resource for each call; this plugin draws its input unchanged and evaluates nothing.
 */
export const run: Plugin = plugin('run', async (props) => {
  const { page, pdfLib, schema, value } = props
  const { x, y } = corner(props)
  const size = schema.size as number
  const color = pdfLib.rgb(...rgbOf(schema.color as string))
  const shown = schema.runs
    ? await showRuns(props, schema.runs as Run[], size)
    : await showLine(props, value, schema.face as Face, size)
  page.pushOperators(
    pdfLib.beginText(),
    pdfLib.setFillingColor(color),
    pdfLib.moveText(x, y - size),
    ...shown,
    pdfLib.endText()
  )
})

async function showLine(props: Props, line: string, name: Face, size: number): Promise<PDFOperator[]> {
  const { font, key } = await fontOn(props, name)
  return [
    props.pdfLib.setFontAndSize(key, size),
    ...visualRuns(line).flatMap(({ drawn, means }) =>
      saying(props, means, [props.pdfLib.showText(font.encodeText(drawn))]))
  ]
}

async function showRuns(props: Props, runs: readonly Run[], size: number): Promise<PDFOperator[]> {
  const operators: PDFOperator[] = []
  for (const { face: name, scale, text, means } of runs) {
    const { font, key } = await fontOn(props, name)
    const other = fallbackNamed(name)
    const shown = other
      ? showGlyphs(props, font.encodeText(text).asString(), placeGlyphs(other.font, text), size * scale)
      : [props.pdfLib.showText(font.encodeText(text))]
    operators.push(props.pdfLib.setFontAndSize(key, size * scale), ...saying(props, means, shown))
  }
  return operators
}

/** Writes each glyph separately if the font moves one. `TJ` counts in thousandths to the left. */
function showGlyphs({ pdfLib }: Props, codes: string, places: readonly Placed[], size: number): PDFOperator[] {
  const { PDFOperator: Operator, PDFOperatorNames: Names, PDFHexString } = pdfLib
  const isMoved = ({ x, y, width, advance }: Placed) => x !== 0 || y !== 0 || width !== advance
  if (!places.some(isMoved)) return [pdfLib.showText(PDFHexString.of(codes))]
  const move = (by: number) => by === 0 ? [] : [Operator.of(Names.ShowTextAdjusted, [`[${-by.toFixed(3)}]`])]
  const rise = (by: number) => pdfLib.setTextRise(by * size / 1000)
  return places.flatMap(({ x, y, width, advance }, at) => [
    ...move(x),
    ...(y === 0 ? [] : [rise(y)]),
    pdfLib.showText(PDFHexString.of(codes.slice(at * 4, at * 4 + 4))),
    ...(y === 0 ? [] : [rise(0)]),
    ...move(advance - width - x)
  ])
}

/**
 * Adds the original text (ActualText, ISO 32000-1, 14.9.4) where the glyphs differ from it. Without it, copied text has
 * brackets the wrong way round, and vowels before the consonant that they follow.
 */
function saying({ pdfLib }: Props, means: string | undefined, shown: PDFOperator[]): PDFOperator[] {
  if (means === undefined) return shown
  const { PDFOperator: Operator, PDFOperatorNames: Names, PDFHexString } = pdfLib
  return [
    Operator.of(Names.BeginMarkedContentSequence, ['/Span', `<</ActualText ${PDFHexString.fromText(means)}>>`]),
    ...shown,
    Operator.of(Names.EndMarkedContent)
  ]
}

/** Draws a QR code as one path, with a box for each run of adjacent dark modules in a row. */
export const dots: Plugin = plugin('dots', (props) => {
  const { page, pdfLib, schema } = props
  const { x, y } = corner(props)
  const rows = schema.rows as string[]
  const side = schema.width * POINTS / rows.length
  page.pushOperators(
    pdfLib.pushGraphicsState(),
    pdfLib.setFillingColor(pdfLib.rgb(...rgbOf(schema.color as string))),
    ...rows.flatMap((row, index) => Array.from(row.matchAll(/1+/g), ({ 0: dark, index: start }) =>
      pdfLib.rectangle(x + start * side, y - (index + 1) * side, dark.length * side, side))),
    pdfLib.fill(),
    pdfLib.popGraphicsState()
  )
})

/** An area that links to a URL. */
export const link: Plugin = plugin('link', (props) => {
  const { page, pdfDoc, pdfLib, schema, value } = props
  const { x, y } = corner(props)
  page.node.addAnnot(pdfDoc.context.register(pdfDoc.context.obj({
    Type: 'Annot',
    Subtype: 'Link',
    Rect: [x, y - schema.height * POINTS, x + schema.width * POINTS, y],
    Border: [0, 0, 0],
    A: { Type: 'Action', S: 'URI', URI: pdfLib.PDFString.of(value) }
  })))
})

/**
 * Sets once per file that readers show the title instead of the file's name (PDF/UA-1, 7.1), the reading direction, the
 * language and the metadata. pdfme supports few languages, refuses the others and afterwards overwrites ours with its
 * own.
 */
export const file: Plugin = plugin('file', ({ pdfDoc, pdfLib, schema }) => {
  const about = schema.about as About
  const preferences = pdfDoc.catalog.getOrCreateViewerPreferences()
  preferences.setDisplayDocTitle(true)
  if (languageFromRight(about.language)) preferences.setReadingDirection(pdfLib.ReadingDirection.R2L)
  pdfDoc.setLanguage(about.language)
  Object.assign(pdfDoc, { setLanguage: () => {} })
  const metadata = pdfDoc.context.stream(new TextEncoder().encode(xmpOf(about)), { Type: 'Metadata', Subtype: 'XML' })
  pdfDoc.catalog.set(pdfLib.PDFName.of('Metadata'), pdfDoc.context.register(metadata))
})

/** The part of a pdfme plugin that a server needs. */
export function plugin(type: string, pdf: Draw): Plugin {
  return {
    pdf,
    ui: () => {},
    propPanel: { schema: {}, defaultSchema: { name: '', type, position: { x: 0, y: 0 }, width: 0, height: 0 } }
  }
}

export type Props = PDFRenderProps<Schema>

/** The top left corner in PDF coordinates, which start at the bottom. */
export const corner = ({ page, schema }: Props) => ({
  x: schema.position.x * POINTS,
  y: page.getHeight() - schema.position.y * POINTS
})

type Font = Awaited<ReturnType<Props['pdfDoc']['embedFont']>>
type Key = ReturnType<Props['page']['node']['newFontDictionary']>
type Cache = Map<unknown, unknown>

/** Embeds a face once per document, and names it once per page. */
async function fontOn({ page, pdfDoc, _cache }: Props, name: string): Promise<{ font: Font, key: Key }> {
  const font = await once(_cache, `face:${name}`, () => {
    shareParsedFonts(pdfDoc)
    return pdfDoc.embedFont((fallbackNamed(name) ?? face(name as Face)).bytes, { subset: true })
  })
  const keys = once(_cache, page, () => new Map<string, Key>())
  return { font, key: once(keys, name, () => page.node.newFontDictionary(font.name, font.ref)) }
}

type Fontkit = Parameters<Props['pdfDoc']['registerFontkit']>[0]

/** pdfme keeps its font engine in a private field, so there is no other way to reach it. */
function shareParsedFonts(pdfDoc: Props['pdfDoc']): void {
  const { fontkit } = pdfDoc as unknown as { fontkit: Fontkit }
  pdfDoc.registerFontkit({ create: (bytes, name) => parseFont(fontkit, bytes, name) })
}

function once<T>(cache: Cache, key: unknown, make: () => T): T {
  if (!cache.has(key)) cache.set(key, make())
  return cache.get(key) as T
}

export const rgbOf = (hex: string) =>
  [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number]
