import type { ImportColumn } from '@svc/kit'
import { invalid } from '../../http/validate.ts'
import type { FileRow } from './read-rows.ts'

/** Which lines hold no records, and what the columns are called. */
export interface Header { header: string[], header_line: number, first_line: number, passed_over: number[] }

/** `chosen`: the line that people say, 0 for none. Throws `validation_failed` for a line where no row begins. */
export function findHeader(rows: FileRow[], _fields: ImportColumn[], chosen: number | undefined): Header {
  if (chosen === 0) return withoutHeader(rows)
  const at = chosen === undefined ? 0 : rows.findIndex(({ line }) => line === chosen)
  const row = rows[at]
  if (!row) throw invalid([{ pointer: '/header_line', message: 'No row of the file begins at this line.' }])
  return {
    header: row.cells,
    header_line: row.line,
    first_line: row.line + 1,
    passed_over: rows.slice(0, at).map(({ line }) => line)
  }
}

function withoutHeader(rows: FileRow[]): Header {
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  return { header: Array<string>(width).fill(''), header_line: 0, first_line: 0, passed_over: [] }
}
