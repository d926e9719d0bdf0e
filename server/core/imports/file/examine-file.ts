import type { ImportColumn, ImportOptions } from '@svc/kit'
import { nameColumns } from './columns.ts'
import { guessDelimiter } from './delimiter.ts'
import { decoded, findEncoding, type Encoding } from './encoding.ts'
import { findHeader } from './header.ts'
import { readRecords, readRows, type FileRow, type Form, type Source } from './read-rows.ts'
import { unreadable } from './unreadable.ts'

export const MOST_ROWS = 100_000
const PREVIEW = 5
const SHOWN = 200
/** Among so many first rows is the header. */
const HEAD_ROWS = 100
const START = 65_536

/** What a file is examined for. */
export interface Wanted { fields: ImportColumn[], options: ImportOptions }
export interface Examined {
  form: Form & { header_line: number }
  columns: string[]
  preview: string[][]
  /** Of records. */
  rows: number
}

/**
 * Reads a whole file: what form it has, and that it can be read to its end. Throws `file_unreadable`, and
 * `validation_failed` for a header line that the file does not have.
 */
export async function examine(source: Source, { fields, options }: Wanted): Promise<Examined> {
  const encoding = await findEncoding(source, options.encoding)
  const delimiter = guessDelimiter(await startOf(source, encoding))
  const head = await firstRows(readRows(source(), { encoding, delimiter }))
  if (head.length === 0) throw unreadable('empty', 'The file is empty.')
  const { header, ...lines } = findHeader(head, fields, options.header_line)
  const form = { encoding, delimiter, ...lines }
  const columns = nameColumns(header)
  const preview: string[][] = []
  let rows = 0
  for await (const { cells } of readRecords(source(), form)) {
    if (++rows > MOST_ROWS) throw unreadable('too_many', 'The file has more than 100,000 rows. Divide it into several.')
    if (rows <= PREVIEW) preview.push(columns.map((_, index) => (cells[index] ?? '').slice(0, SHOWN)))
  }
  if (rows === 0) throw unreadable('empty', 'The file has a header and no rows.')
  return { form, columns, preview, rows }
}

async function firstRows(rows: AsyncIterable<FileRow>): Promise<FileRow[]> {
  const first: FileRow[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === HEAD_ROWS) break
  }
  return first
}

async function startOf(source: Source, encoding: Encoding): Promise<string> {
  let text = ''
  for await (const piece of decoded(source(), encoding)) {
    text += piece
    if (text.length >= START) break
  }
  return text
}
