import type { Csv } from '@svc/kit'
import type { AuditFilter, AuditRow } from '../../../shared/audit.ts'
import type { Host } from '../host.ts'
import { auditBatches } from './list-audit.ts'

const COLUMNS = [
  'at', 'action', 'actor_type', 'actor_id', 'actor_name', 'target_kind', 'target_id', 'detail', 'address', 'id'
]

/** The whole log as a file, newest first. */
export const exportAudit = (host: Host, filter: AuditFilter & { clinic_id: string }): Csv =>
  ({ name: 'audit', columns: COLUMNS, batches: batches(host, filter) })

async function* batches(host: Host, filter: AuditFilter & { clinic_id: string }) {
  for await (const rows of auditBatches(host, filter)) yield rows.map(cells)
}

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
