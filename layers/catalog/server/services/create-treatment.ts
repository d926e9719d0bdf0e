import { problem, type Ctx } from '@svc/kit'
import type { Treatment, TreatmentRequest } from '../../shared/contract.ts'
import { holdPriceMode } from '../db/convert-prices.ts'
import { treatmentIds } from '../db/external-ids.ts'
import { insertTreatment } from '../db/treatments.ts'
import { assertPriceMode } from './assert-price-mode.ts'
import { readFields } from './read-fields.ts'
import { toTreatment } from './views.ts'

type Input = TreatmentRequest & { clinic_id: string, user_id: string | null }
export interface Versioned { version: number, treatment: Treatment }

/** Throws `code_taken`, `external_id_taken`, `price_mode_changed`, and what reading the fields throws. */
export async function createTreatment(
  ctx: Ctx,
  { clinic_id, user_id, prices_include_tax, external_ids, ...request }: Input
): Promise<Versioned> {
  const { currency } = await ctx.clinics.get(clinic_id)
  const { unit_price = 0n, vat = 0, ...fields } = await readFields(ctx, request, currency)
  return await ctx.db.transaction(async (tx) => {
    await holdPriceMode(tx, clinic_id)
    const clinic = await ctx.clinics.get(clinic_id, tx)
    assertPriceMode(clinic, prices_include_tax)
    const row = await insertTreatment(tx, {
      ...fields,
      unit_price,
      vat,
      clinic_id,
      created_by: user_id,
      updated_by: user_id
    })
    if (!row) throw problem('code_taken')
    if (external_ids) await treatmentIds(ctx).save(tx, { clinic_id, id: row.id, external_ids })
    return { version: row.version, treatment: toTreatment({ ...row, external_ids: external_ids ?? {} }, clinic) }
  })
}
