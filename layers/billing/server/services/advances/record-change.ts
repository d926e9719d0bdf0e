import type { AuditEntry, Ctx, Tx } from '@svc/kit'
import type { StoredAdvance } from '../../db/advances.ts'

/** The actor, for the audit log. */
export type Who = Pick<AuditEntry, 'actor' | 'client'>

/** Adds a row to the audit log, without amounts. Call it as the last statement of the transaction. */
export const recordChange = (ctx: Ctx, tx: Tx, { id, clinic_id }: StoredAdvance, who: Who, field: 'amount' | 'returned') =>
  ctx.audit.record(tx, {
    clinic_id,
    ...who,
    action: 'record_changed',
    target: { kind: 'advance', id },
    detail: { fields: [field] }
  })
