import { isId, matchesEtag, problem, type Ctx } from '@svc/kit'
import type { TreatmentChange } from '../../shared/contract.ts'
import { lockTreatment, updateTreatment } from '../db/treatments.ts'
import type { Versioned } from './create-treatment.ts'
import { readFields } from './read-fields.ts'
import { toTreatment } from './views.ts'

interface Input {
  clinic_id: string
  user_id: string
  id: string
  if_match: string | undefined
  change: TreatmentChange
}

/** Budgets keep what they copied: a new price or name changes none of them. */
export async function changeTreatment(
  ctx: Ctx,
  { clinic_id, user_id, id, if_match, change }: Input
): Promise<Versioned> {
  const { currency } = await ctx.clinics.get(clinic_id)
  const fields = await readFields(ctx, change, currency)
  return await ctx.db.transaction(async (tx) => {
    const row = isId(id) ? await lockTreatment(tx, { clinic_id, id }) : null
    if (!row) throw problem('not_found')
    if (!matchesEtag(row.version, if_match)) throw problem('precondition_failed')
    const changed = await updateTreatment(tx, { ...row, ...fields, updated_by: user_id })
    if (!changed) throw problem('code_taken')
    return { version: changed.version, treatment: toTreatment(changed, currency) }
  })
}
