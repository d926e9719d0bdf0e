import type { Schema, Template } from '@pdfme/common'
import { layOut, type LaidOut } from '../layout/lay-out.ts'
import type { Mark } from '../layout/marks.ts'
import { PAGE } from '../layout/style.ts'
import type { Letterhead, Sheet } from '../sheet.ts'
import { loadMissed } from '../text/fallback.ts'
import { CREATOR, PRODUCER, type About } from './metadata.ts'
import { drawing } from './drawing.ts'
import { dots, file, link, run } from './plugins.ts'

// Converts points to pdfme's millimetres by its own factor, so that pdfme gets exactly the same points back.
const mm = (points: number): number => points / 2.8346

export interface Rendered { bytes: Uint8Array, pages: number, /** The total as it is printed. */ total: string }

let engine: ReturnType<typeof loadEngine> | undefined

/**
 * Imported at first use, because loading it is slow, and cached, because each `import()` resolves the package again.
 */
async function loadEngine() {
  const [{ generate }, { image, rectangle }] = await Promise.all([import('@pdfme/generator'), import('@pdfme/schemas')])
  return { generate, image, rectangle }
}

/** Creates the PDF of a document. Equal documents give equal bytes. */
export async function renderSheet(sheet: Sheet, clinic: Letterhead): Promise<Rendered> {
  const { subject, dated_at: date } = sheet
  return await render(await layOutWithFonts(sheet, clinic), { author: clinic.name, subject, date })
}

/** Lays out a document, and again after loading a font that its text needs. Other text needs only one pass. */
export async function layOutWithFonts(sheet: Sheet, clinic: Letterhead): Promise<LaidOut> {
  for (;;) {
    const laidOut = layOut(sheet, clinic)
    if (!await loadMissed()) return laidOut
  }
}

async function render(laidOut: LaidOut, origin: Pick<About, 'author' | 'subject' | 'date'>): Promise<Rendered> {
  engine ??= loadEngine()
  const { generate, image, rectangle } = await engine
  const about = { ...origin, title: laidOut.title, language: laidOut.language }
  const { template, input } = toTemplate(laidOut, about)
  const { title, author, subject, date } = about
  const bytes = await generate({
    template,
    inputs: [input],
    plugins: { run, rectangle, image, link, dots, drawing, file },
    options: {
      title,
      author,
      subject,
      creator: CREATOR,
      producer: PRODUCER,
      creationDate: date,
      modificationDate: date
    }
  })
  return { bytes, pages: laidOut.pages.length, total: laidOut.total }
}

/**
 * Converts marks to pdfme schemas. Every text is passed as an input and never as a schema's content, because pdfme
 * evaluates `{…}` in the content of read-only schemas, and a name must stay unchanged.
 */
export function toTemplate(
  { pages }: Pick<LaidOut, 'pages'>,
  about: About
): { template: Template, input: Record<string, string> } {
  const input: Record<string, string> = {}
  const schemas = pages.map((marks, page) =>
    marks.map((mark, index): Schema => {
      const name = `p${page}m${index}`
      const value = valueOf(mark)
      if (value !== null) input[name] = value
      return { name, readOnly: false, ...schemaOf(mark) }
    })
  )
  schemas[0]!.push({ name: 'file', type: 'file', about, position: { x: 0, y: 0 }, width: 0, height: 0 })
  return {
    template: { basePdf: { width: mm(PAGE.width), height: mm(PAGE.height), padding: [0, 0, 0, 0] }, schemas },
    input
  }
}

const valueOf = (mark: Mark): string | null =>
  mark.kind === 'text' ? mark.text : mark.kind === 'image' ? mark.data : mark.kind === 'link' ? mark.url : null

interface Place {
  type: string
  position: { x: number, y: number }
  width: number
  height: number
  [field: string]: unknown
}

function schemaOf(mark: Mark): Place {
  if (mark.kind === 'text') {
    const { x, baseline, width, size, face, color, runs } = mark
    return { type: 'run', ...area(x, baseline - size, width, size), face, size, color, runs }
  }
  const box = area(mark.x, mark.y, mark.width, mark.height)
  if (mark.kind === 'box')
    return {
      type: 'rectangle',
      ...box,
      color: mark.color,
      borderWidth: 0,
      borderColor: '',
      radius: mm(mark.radius ?? 0)
    }
  if (mark.kind === 'dots') return { type: mark.kind, ...box, rows: mark.rows, color: mark.color }
  if (mark.kind === 'drawing') return { type: mark.kind, ...box, scale: mark.scale, shapes: mark.shapes }
  return { type: mark.kind, ...box }
}

const area = (x: number, y: number, width: number, height: number) => ({
  position: { x: mm(x), y: mm(y) },
  width: mm(width),
  height: mm(height)
})
