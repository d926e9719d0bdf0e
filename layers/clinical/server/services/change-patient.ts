import { isId, matchesEtag, problem, type Ctx } from '@svc/kit'
import type { PatientChange } from '../../shared/contract.ts'
import { patientIds } from '../db/external-ids.ts'
import { lockPatient, updatePatient, type PatientRow } from '../db/patients.ts'

interface Input { clinic_id: string, user_id: string, id: string, if_match: string | undefined, change: PatientChange }

/** Throws `not_found`, `patient_erased`, and `precondition_failed` when `if_match` names another version. */
export async function changePatient(
  ctx: Ctx,
  { clinic_id, user_id, id, if_match, change }: Input
): Promise<PatientRow> {
  return await ctx.db.transaction(async (tx) => {
    const row = isId(id) ? await lockPatient(tx, { clinic_id, id }) : null
    if (!row) throw problem('not_found')
    if (row.erased_at) throw problem('patient_erased')
    if (!matchesEtag(row.version, if_match)) throw problem('precondition_failed')
    const { external_ids } = change
    if (external_ids) await patientIds(ctx).save(tx, { clinic_id, id, external_ids })
    return await updatePatient(tx, { ...row, ...change, updated_by: user_id })
  })
}
