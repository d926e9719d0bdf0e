import { isDeepStrictEqual } from 'node:util'
import { isId, matchesEtag, problem, type AuditEntry, type Ctx } from '@svc/kit'
import type { PatientChange } from '../../shared/contract.ts'
import { patientIds } from '../db/external-ids.ts'
import { assertPhone } from './phone/assert-phone.ts'
import { lockPatient, updatePatient, type PatientRow } from '../db/patients.ts'

/** The actor, for the audit log. */
export type Who = Pick<AuditEntry, 'actor' | 'client'>

interface Input {
  clinic_id: string
  user_id: string
  who: Who
  id: string
  if_match: string | undefined
  change: PatientChange
}

/**
 * Throws `not_found`, `patient_erased`, `validation_failed` for a phone, and `precondition_failed` if `if_match` is
 * another version's.
 */
export async function changePatient(
  ctx: Ctx,
  { clinic_id, user_id, who, id, if_match, change }: Input
): Promise<PatientRow> {
  return await ctx.db.transaction(async (tx) => {
    const row = isId(id) ? await lockPatient(tx, { clinic_id, id }) : null
    if (!row) throw problem('not_found')
    if (row.erased_at) throw problem('patient_erased')
    if (!matchesEtag(row.version, if_match)) throw problem('precondition_failed')
    // An unchanged number is not checked.
    if (change.phone !== row.phone) await assertPhone(ctx, { clinic_id, phone: change.phone })
    const { external_ids } = change
    const ids = external_ids ? await patientIds(ctx).list(tx, [id]) : null
    if (external_ids) await patientIds(ctx).save(tx, { clinic_id, id, external_ids })
    const changed = await updatePatient(tx, { ...row, ...change, updated_by: user_id })
    const fields = (Object.keys(change) as (keyof PatientChange)[]).filter(name => name === 'external_ids'
      ? !isDeepStrictEqual(ids?.get(id) ?? {}, external_ids ?? {})
      : !isDeepStrictEqual(row[name], changed[name]))
    // Without values, because an entry of the audit log can't be erased.
    if (fields.length > 0) await ctx.audit.record(tx, {
      clinic_id, ...who, action: 'record_changed', target: { kind: 'person', id }, detail: { fields: fields.toSorted() }
    })
    return changed
  })
}
