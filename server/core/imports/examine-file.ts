import { guessDelimiter } from './delimiter.ts'
import { decoded, findEncoding, piecesOf } from './encoding.ts'
import { nameColumns } from './columns.ts'
import { readRows, type Form } from './read-rows.ts'
import { unreadable } from './unreadable.ts'

export const MOST_ROWS = 100_000
const PREVIEW = 5
const SHOWN = 200

export interface Examined extends Form {
  columns: string[]
  preview: string[][]
  /** Without the header. */
  rows: number
}

/** Reads a whole file once: what form it has, and that it can be read to its end. Throws `file_unreadable`. */
export async function examine(bytes: Uint8Array): Promise<Examined> {
  const encoding = findEncoding(bytes)
  const delimiter = guessDelimiter(await startOf(bytes, encoding))
  let columns: string[] | null = null
  const preview: string[][] = []
  let rows = 0
  for await (const { cells } of readRows(piecesOf(bytes), { encoding, delimiter })) {
    if (!columns) {
      columns = nameColumns(cells)
      continue
    }
    if (++rows > MOST_ROWS) throw unreadable('too_many', 'The file has more than 100,000 rows. Divide it into several.')
    if (rows <= PREVIEW) preview.push(columns.map((_, index) => (cells[index] ?? '').slice(0, SHOWN)))
  }
  if (!columns) throw unreadable('empty', 'The file is empty.')
  if (rows === 0) throw unreadable('empty', 'The file has a header and no rows.')
  return { encoding, delimiter, columns, preview, rows }
}

async function startOf(bytes: Uint8Array, encoding: Form['encoding']): Promise<string> {
  let text = ''
  for await (const piece of decoded(piecesOf(bytes.subarray(0, 65_536)), encoding)) text += piece
  return text
}
