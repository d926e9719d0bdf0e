import type { Csv, ModuleRequest } from '@svc/kit'
import { escapeCell } from '@svc/kit/csv'
import { stringify } from 'csv-stringify/sync'
import { recordAudit } from '../audit/record-audit.ts'
import type { Host } from '../host.ts'

/** Without a byte order mark, spreadsheets read UTF-8 as an older encoding. */
const BOM = '\uFEFF'

/** CSV as in RFC 4180: one piece for the header row and one for each batch. */
export async function* csvText({ columns, batches }: Omit<Csv, 'name'>): AsyncGenerator<string> {
  yield BOM + toText([[...columns]])
  for await (const rows of batches) {
    if (rows.length > 0) yield toText(rows)
  }
}

const toText = (rows: (string | null)[][]): string =>
  stringify(rows, { record_delimiter: '\r\n', quoted_match: /[\r\n]/, cast: { string: escapeCell } })

/** Records who exported the clinic's data. Of the filters, only the names are recorded. */
export async function recordExport(
  host: Host,
  { actor, client, path }: ModuleRequest,
  query: Record<string, unknown> = {}
): Promise<void> {
  if (!actor?.clinic_id) return
  const filters = Object.keys(query).filter(name => query[name] !== undefined && query[name] !== null)
  await host.db.transaction(tx => recordAudit(host, tx, {
    clinic_id: actor.clinic_id,
    actor,
    action: 'export_read',
    target: { kind: 'list', id: path },
    detail: { filters: filters.sort() },
    client
  }))
}
