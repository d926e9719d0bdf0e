import { stringify } from 'csv-stringify/sync'
import { escapeCell } from '@svc/kit/csv'
import type { Remarks } from './remarks.ts'
import type { WrongRow } from './process-batch.ts'

/** The outcome of a row. `app/utils/errors-csv.ts` matches these sentences. */
export const OUTCOMES = { wrong: 'row left out', lost: 'imported without this value', notes: 'imported' } as const

const COLUMNS = ['line', 'column', 'value', 'message', 'outcome']

/** UTF-8 with a byte order mark, as in RFC 4180, like all exports. In the order of the lines. */
export async function toErrorsCsv(batches: AsyncIterable<Remarks & { rows: WrongRow[] }>): Promise<string> {
  let csv = stringify([COLUMNS], { bom: true, record_delimiter: '\r\n' })
  for await (const { rows, wrong, lost, notes } of batches) {
    const all = [
      ...rows.map((row, index) => ({ ...row, value: wrong[index] ?? '', outcome: OUTCOMES.wrong })),
      ...lost.map(row => ({ ...row, outcome: OUTCOMES.lost })),
      ...notes.map(row => ({ ...row, outcome: OUTCOMES.notes }))
    ].sort((one, other) => one.line - other.line)
    csv += stringify(all, { columns: COLUMNS, record_delimiter: '\r\n', cast: { string: text => escapeCell(text) } })
  }
  return csv
}
