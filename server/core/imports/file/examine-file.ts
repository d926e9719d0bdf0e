import type { ImportColumn, ImportOptions } from '@svc/kit'
import { nameColumns } from './columns.ts'
import { guessDelimiter } from './delimiter.ts'
import { decoded, findEncoding, type Decoding } from './encoding.ts'
import { findHeader } from './header.ts'
import { NeedsRawQuotes, readRecords, readRows, type FileRow, type Form, type Source } from './read-rows.ts'
import { findTotals } from './totals.ts'
import { unreadable } from './unreadable.ts'

export const MAX_ROWS = 100_000
const PREVIEW = 5
const SHOWN = 200
/** The header is searched among this many first rows. */
const HEAD_ROWS = 100
const START = 65_536

/** The input of an examination. */
export interface ExamineInput { fields: ImportColumn[], options: ImportOptions, locale: string }
export interface Examined {
  form: Form & { header_line: number }
  columns: string[]
  preview: string[][]
  /** Cells with non-ASCII letters. */
  samples: string[]
  /** The first rows, including the header and the lines above it. */
  first_lines: { line: number, text: string }[]
  /** The number of records. */
  rows: number
}

/**
 * Reads a whole file, finds its form and verifies that it can be read to the end. Throws `file_unreadable`, or
 * `validation_failed` for a header line that the file does not have.
 */
export async function examine(source: Source, { fields, options, locale }: ExamineInput): Promise<Examined> {
  const decoding = await findEncoding(source, options.encoding, locale)
  const form = { ...decoding, delimiter: guessDelimiter(await startOf(source, decoding)) }
  try {
    return await examineRows(source, form, { fields, options })
  } catch (error) {
    if (!(error instanceof NeedsRawQuotes)) throw error
    return await examineRows(source, { ...form, raw_quotes: true }, { fields, options })
  }
}

async function examineRows(source: Source, found: Form, { fields, options }: Omit<ExamineInput, 'locale'>): Promise<Examined> {
  const head = await firstRows(readRows(source(), found))
  if (head.length === 0) throw unreadable('empty', 'The file is empty.')
  const { header, ...lines } = findHeader(head, fields, options.header_line)
  const form = { ...found, ...lines }
  const columns = nameColumns(header)
  const { rows, first, last, samples } = await readAll(readRecords(source(), form))
  const totals = findTotals(last, columns.length).map(({ line }) => line)
  if (rows === totals.length) throw unreadable('empty', 'The file has a header and no rows.')
  const shown = first.filter(({ line }) => !totals.includes(line))
  return {
    form: { ...form, passed_over: [...form.passed_over, ...totals] },
    columns,
    preview: shown.map(({ cells }) => columns.map((_, index) => (cells[index] ?? '').slice(0, SHOWN))),
    samples,
    first_lines: head.slice(0, FIRST_LINES).map(toFirstLine),
    rows: rows - totals.length
  }
}

/** Users choose the header from this many lines. */
const FIRST_LINES = 10
const toFirstLine = ({ line, cells }: FileRow) =>
  ({ line, text: cells.map(cell => cell.trim()).filter(Boolean).join(' · ').slice(0, SAMPLE) })

/** Totals are searched among this many last rows. */
const LAST_ROWS = 3
const SAMPLES = 3

/** Reads to the end, so that an unreadable file is refused before anything is written. */
async function readAll(records: AsyncIterable<FileRow>) {
  const [first, last, samples]: [FileRow[], FileRow[], string[]] = [[], [], []]
  let rows = 0
  for await (const row of records) {
    if (++rows > MAX_ROWS) throw unreadable('too_many', 'The file has more than 100,000 rows. Divide it into several.')
    if (rows <= PREVIEW) first.push(row)
    if (last.push(row) > LAST_ROWS) last.shift()
    if (samples.length < SAMPLES) addSamples(samples, row)
  }
  return { rows, first, last, samples }
}

/** Cells that show whether the encoding is right. */
function addSamples(samples: string[], { cells }: FileRow): void {
  const found = cells.find(cell => /\P{ASCII}/u.test(cell) && !samples.includes(cell.slice(0, SAMPLE)))
  if (found !== undefined) samples.push(found.slice(0, SAMPLE))
}
const SAMPLE = 60

async function firstRows(rows: AsyncIterable<FileRow>): Promise<FileRow[]> {
  const first: FileRow[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === HEAD_ROWS) break
  }
  return first
}

async function startOf(source: Source, decoding: Decoding): Promise<string> {
  let text = ''
  for await (const piece of decoded(source(), decoding)) {
    text += piece
    if (text.length >= START) break
  }
  return text
}
