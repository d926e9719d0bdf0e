import { isId, matchesEtag, problem, type Ctx } from '@svc/kit'
import type { TreatmentChange } from '../../shared/contract.ts'
import { holdPriceMode } from '../db/convert-prices.ts'
import { treatmentIds } from '../db/external-ids.ts'
import { lockTreatment, updateTreatment, type TreatmentRow } from '../db/treatments.ts'
import type { Versioned } from './create-treatment.ts'
import { mustBeInMode } from './must-be-in-mode.ts'
import { readFields } from './read-fields.ts'
import { toTreatment } from './views.ts'

interface Input {
  clinic_id: string
  user_id: string | null
  id: string
  if_match: string | undefined
  change: TreatmentChange
}

/** Budgets keep what they copied: a new price or name changes none of them. */
export async function changeTreatment(
  ctx: Ctx,
  { clinic_id, user_id, id, if_match, change }: Input
): Promise<Versioned> {
  const { prices_include_tax, external_ids, ...rest } = change
  const { currency } = await ctx.clinics.get(clinic_id)
  const fields = await readFields(ctx, rest, currency)
  return await ctx.db.transaction(async (tx) => {
    await holdPriceMode(tx, clinic_id)
    const clinic = await ctx.clinics.get(clinic_id, tx)
    const row = isId(id) ? await lockTreatment(tx, { clinic_id, id }) : null
    if (!row) throw problem('not_found')
    if (!matchesEtag(row.version, if_match)) throw problem('precondition_failed')
    mustBeInMode(clinic, prices_include_tax)
    if (external_ids) await treatmentIds(ctx).save(tx, { clinic_id, id, external_ids })
    const opened = getsFirstPrice(row, fields) ? { active: true } : {}
    const changed = await updateTreatment(tx, { ...row, ...opened, ...fields, updated_by: user_id })
    if (!changed) throw problem('code_taken')
    return { version: changed.version, treatment: toTreatment(changed, clinic) }
  })
}

/** A starter treatment is inactive for want of a price; with one it can be used, unless the change says otherwise. */
const getsFirstPrice = (row: Pick<TreatmentRow, 'active' | 'unit_price'>, { unit_price = 0n }: { unit_price?: bigint }) =>
  !row.active && row.unit_price === 0n && unit_price > 0n
