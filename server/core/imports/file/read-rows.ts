import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { Delimiter } from './delimiter.ts'
import { decoded, type Encoding } from './encoding.ts'
import type { StoredForm } from '../../db/schema.ts'
import { isSuspect, isWellQuoted } from './quotes.ts'
import { unreadable } from './unreadable.ts'

/** `line`: where the row begins in the file, counted from 1. */
export interface FileRow { line: number, cells: string[] }
/** How the bytes of a file become rows. */
export interface Form extends StoredForm { encoding: Encoding, delimiter: Delimiter }
/** Returns the bytes of a file from its start, each time it is called. */
export type Source = () => AsyncIterable<Uint8Array>

const MAX_RECORD_LENGTH = 200_000
const MAX_CELLS = 500

/** Includes blank rows, which contain no record but take time. */
const MAX_ROWS = 500_000

class TooManyCells extends Error {}
/** The file has to be read with `raw_quotes`. */
export class NeedsRawQuotes extends Error {}

interface Parsed { info: { lines: number }, record: string[], raw?: string }

/** Every row with a filled cell, including a header. Throws `file_unreadable` or `NeedsRawQuotes`. */
export async function* readRows(pieces: AsyncIterable<Uint8Array>, form: Form): AsyncGenerator<FileRow> {
  const end: End = { lines: 0, empty_lines: 0 }
  const parser = createParser(form, end)
  // The parser emits the errors of both ends.
  pipeline(Readable.from(decoded(pieces, form)), parser, () => {})
  let count = 0
  try {
    for await (const { info, record, raw } of parser as AsyncIterable<Parsed>) {
      if (count++ > MAX_ROWS) throw unreadable('too_many', 'The file has more than 500,000 lines.')
      const line = info.lines - breaksIn(record)
      checkQuotes(record, raw, form, line)
      if (record.every(cell => cell.trim() === '')) continue
      if (count > 1 || !isSeparatorLine(record)) yield { line, cells: record.map(cell => unwrap(cell, form)) }
    }
  } catch (error) {
    if (error instanceof TooManyCells || error instanceof CsvError) throw toUnreadable(error, lineAfter(end, error))
    throw error
  }
}

/** Where the last complete row ends, and how many empty lines are above it. */
interface End { lines: number, empty_lines: number }

const createParser = ({ delimiter, backslashes, raw_quotes }: Form, end: End) =>
  parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    ...backslashes && { escape: '\\' },
    max_record_size: MAX_RECORD_LENGTH,
    // Called for each cell, before the row is whole: a line of delimiters alone never becomes an array of millions.
    cast(cell, { index }) {
      if (index >= MAX_CELLS) throw new TooManyCells()
      return cell
    },
    on_record(cells, { lines, empty_lines }) {
      Object.assign(end, { lines, empty_lines })
      return cells
    },
    info: true,
    raw: raw_quotes
  })

function checkQuotes(record: string[], raw: string | undefined, { delimiter, backslashes }: Form, line: number): void {
  if (!record.some(isSuspect)) return
  if (raw === undefined) throw new NeedsRawQuotes()
  if (!isWellQuoted(raw, delimiter, backslashes ? '\\' : '"')) throw unclosed(line)
}

const unclosed = (line: number) =>
  unreadable('quotes', `Line ${line}: a cell starts with a quotation mark that is never closed.`, line)

/** The first line of the row that can't be parsed. */
const lineAfter = ({ lines, empty_lines }: End, error: Error) =>
  lines + 1 + ((error as { empty_lines?: number }).empty_lines ?? empty_lines) - empty_lines

const BREAK = /[\r\n]/
/** Programs write `="00123"` so that a spreadsheet keeps the zeros. */
const AS_TEXT = /^\s*=\s*"(.*)"\s*$/s

/** The text of a cell, without what was only written for a program. */
function unwrap(cell: string, { backslashes }: Form): string {
  if (backslashes && cell === '\\N') return '' // MySQL's null
  // FileMaker's separators inside a cell: between lines, and between repetitions.
  const plain = cell.replaceAll('\v', '\n').replaceAll('\u001D', '\n')
  if (!plain.includes('=')) return plain
  return AS_TEXT.exec(plain)?.[1]?.replaceAll('""', '"') ?? plain
}

/** The rows without the header and the lines above it. */
export async function* readRecords(pieces: AsyncIterable<Uint8Array>, form: Form): AsyncGenerator<FileRow> {
  const { header_line, first_line = 0, passed_over = [] } = form
  const skipped = new Set(passed_over)
  let isHeader = header_line === undefined
  for await (const row of readRows(pieces, form)) {
    if (!isHeader && row.line >= first_line && !skipped.has(row.line)) yield row
    isHeader = false
  }
}

/** `sep=;`, a line that Excel writes and reads before the header. */
const isSeparatorLine = ([first = '', ...rest]: string[]) =>
  /^sep=.?$/i.test(first) && rest.every(cell => cell === '')

/** The parser reports the line on which a row ends. */
const breaksIn = (cells: string[]) =>
  cells.reduce((sum, cell) => sum + (BREAK.test(cell) ? cell.split(/\r\n|\n|\r/).length - 1 : 0), 0)

function toUnreadable(error: Error, line: number) {
  if (error instanceof TooManyCells)
    return unreadable('not_csv', `Line ${line}: a row has more than ${MAX_CELLS} cells.`, line)
  if ((error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED') return unclosed(line)
  return (error as CsvError).code === 'CSV_MAX_RECORD_SIZE'
    ? unreadable('quotes', `Line ${line}: a row has more than 200,000 characters. A quotation mark may be missing.`, line)
    : unreadable('not_csv', 'The file isn’t CSV.')
}
