import type { Csv } from '@svc/kit'
import { escapeCell } from '@svc/kit/csv'
import { stringify } from 'csv-stringify/sync'

/** Without it spreadsheets take UTF-8 for an older encoding. */
const BOM = '\uFEFF'

/** RFC 4180, a piece for the first row and for each batch. */
export async function* csvText({ columns, batches }: Omit<Csv, 'name'>): AsyncGenerator<string> {
  yield BOM + toText([[...columns]])
  for await (const rows of batches) {
    if (rows.length > 0) yield toText(rows)
  }
}

const toText = (rows: (string | null)[][]): string =>
  stringify(rows, { record_delimiter: '\r\n', quoted_match: /[\r\n]/, cast: { string: escapeCell } })
