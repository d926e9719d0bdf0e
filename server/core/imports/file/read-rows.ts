import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { Delimiter } from './delimiter.ts'
import { decoded, type Encoding } from './encoding.ts'
import type { StoredForm } from '../../db/schema.ts'
import { unreadable } from './unreadable.ts'

/** `line`: of the file, from 1, where it begins. */
export interface FileRow { line: number, cells: string[] }
/** How the bytes of a file make rows. */
export interface Form extends StoredForm { encoding: Encoding, delimiter: Delimiter }
/** The bytes of a file from its start, as often as it is asked. */
export type Source = () => AsyncIterable<Uint8Array>

const LONGEST_RECORD = 200_000
const MOST_CELLS = 500

class TooManyCells extends Error {}

/** Every row that has something in a cell, the header first. Throws `file_unreadable`. */
export async function* readRows(pieces: AsyncIterable<Uint8Array>, form: Form): AsyncGenerator<FileRow> {
  const parser = parse({
    delimiter: form.delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_RECORD,
    // Called for each cell, before the row is whole: a line of delimiters alone never becomes an array of millions.
    cast(cell, { index }) {
      if (index >= MOST_CELLS) throw new TooManyCells()
      return cell
    },
    info: true
  })
  // An error of either end comes out of the parser.
  pipeline(Readable.from(decoded(pieces, form.encoding)), parser, () => {})
  let isFirst = true
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: { lines: number }, record: string[] }>) {
      if (record.every(cell => cell.trim() === '')) continue
      if (!isFirst || !isSeparatorLine(record)) yield { line: info.lines - breaksIn(record), cells: record }
      isFirst = false
    }
  } catch (error) {
    throw error instanceof TooManyCells || error instanceof CsvError ? toUnreadable(error) : error
  }
}

/** The rows that are records. */
export async function* readRecords(pieces: AsyncIterable<Uint8Array>, form: Form): AsyncGenerator<FileRow> {
  const { header_line, first_line = 0, passed_over = [] } = form
  const skipped = new Set(passed_over)
  let isHeader = header_line === undefined
  for await (const row of readRows(pieces, form)) {
    if (!isHeader && row.line >= first_line && !skipped.has(row.line)) yield row
    isHeader = false
  }
}

/** `sep=;`, which Excel writes and reads before the header. */
const isSeparatorLine = ([first = '', ...rest]: string[]) =>
  /^sep=.?$/i.test(first) && rest.every(cell => cell === '')

/** The parser counts the line on which a row ends. */
const breaksIn = (cells: string[]) =>
  cells.reduce((sum, cell) => sum + (/[\r\n]/.test(cell) ? cell.split(/\r\n|\n|\r/).length - 1 : 0), 0)

function toUnreadable(error: Error) {
  if (error instanceof TooManyCells) return unreadable('not_csv', `A row has more than ${MOST_CELLS} cells.`)
  const { code } = error as CsvError
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return unreadable('quotes', 'A cell starts with a quotation mark that is never closed.')
  return code === 'CSV_MAX_RECORD_SIZE'
    ? unreadable('quotes', 'A row is longer than 200,000 characters. A quotation mark may be missing.')
    : unreadable('not_csv', 'The file isn’t CSV.')
}
