import { escapeCell } from '@svc/kit/csv'
import { stringify } from 'csv-stringify/sync'
import type { By } from './record-account.ts'
import type { AuditFilter, AuditRow } from '../../../shared/audit.ts'
import type { Host } from '../host.ts'
import { auditBatches } from './list-audit.ts'
import { recordAudit } from './record-audit.ts'

const COLUMNS = [
  'at', 'action', 'actor_type', 'actor_id', 'actor_name', 'target_kind', 'target_id', 'detail', 'address', 'id'
]
/** Without it spreadsheets take UTF-8 for an older encoding. */
const BOM = '\uFEFF'

/** The whole log as CSV (RFC 4180), newest first; that it was taken is a row of it from then on. */
export async function exportAudit(
  host: Host,
  { clinic_id, who, ...filter }: AuditFilter & { clinic_id: string, who: By }
): Promise<Buffer> {
  const parts = [Buffer.from(BOM + toText([COLUMNS]))]
  for await (const rows of auditBatches(host, { clinic_id, ...filter }))
    parts.push(Buffer.from(toText(rows.map(cells))))
  const target = { kind: 'list', id: '/api/v1/audit' }
  await host.db.transaction(tx =>
    recordAudit(host, tx, { clinic_id, ...who, action: 'export_read', target, detail: { filters: Object.keys(filter) } }))
  return Buffer.concat(parts)
}

const toText = (rows: (string | null)[][]): string =>
  stringify(rows, { record_delimiter: '\r\n', cast: { string: escapeCell } })

const cells = ({ id, at, actor, action, target, detail, address }: AuditRow) => [
  at,
  action,
  actor.type,
  actor.id,
  actor.name,
  target?.kind ?? null,
  target?.id ?? null,
  JSON.stringify(detail),
  address,
  id
]
