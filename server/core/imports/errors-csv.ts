import { stringify } from 'csv-stringify/sync'
import { escapeCell } from '@svc/kit/csv'
import type { WrongRow } from './process-batch.ts'

/** UTF-8 with a byte order mark and RFC 4180, as exports are. */
export const toErrorsCsv = (rows: WrongRow[]): string =>
  stringify(rows, {
    bom: true,
    header: true,
    columns: ['line', 'column', 'message'],
    record_delimiter: '\r\n',
    cast: { string: (text, { header }) => header ? text : escapeCell(text) }
  })
