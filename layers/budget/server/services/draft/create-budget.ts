import type { Ctx } from '@svc/kit'
import type { CreateRequest } from '../../../shared/contract.ts'
import { insertBudget, type BudgetRow, type NewBudget } from '../../db/budgets.ts'
import { budgetIds } from '../../db/external-ids.ts'
import { insertItems } from '../../db/items.ts'
import { yearIn } from '../../../shared/domain/validity.ts'
import { startLog } from '../log/log-chain.ts'
import { assertPriceMode } from './assert-price-mode.ts'
import { takeNumber } from '../log/number-seal.ts'
import { priceDraft } from './price-draft.ts'
import { readDraft } from './read-draft.ts'

/**
 * A draft with the next number of the clinic's year. A refused one uses no number. Throws `external_id_taken`, and the
 * problems of reading and pricing a draft.
 */
export async function createBudget(
  ctx: Ctx,
  { clinic_id, user_id, external_ids, ...input }: CreateRequest & { clinic_id: string, user_id: string | null }
): Promise<BudgetRow> {
  const clinic = await ctx.clinics.get(clinic_id)
  const { prices_include_tax } = clinic
  assertPriceMode(prices_include_tax, input)
  const draft = await readDraft(ctx, clinic, {
    input,
    stored: [],
    stored_choices: null,
    stored_clause_ids: null,
    prices_include_tax
  })
  const { choices = null } = draft
  const { items, totals } = priceDraft([...draft.items ?? [], ...draft.option_items ?? []], {
    global_discount: draft.global_discount ?? null,
    prices_include_tax,
    choices
  })
  return await ctx.db.transaction(async (tx) => {
    const number = await takeNumber(ctx, tx, { clinic_id, year: yearIn(clinic.time_zone, await ctx.clock.now(tx)) })
    const row = await insertBudget(tx, {
      ...(draft.columns as NewBudget), // a new draft has a patient, so none of the required columns is missing
      ...totals,
      choices,
      ...startLog(ctx.secrets),
      clinic_id,
      number,
      currency: clinic.currency,
      prices_include_tax,
      time_zone: clinic.time_zone,
      created_by: user_id
    })
    await insertItems(tx, row, items)
    if (external_ids) await budgetIds(ctx).save(tx, { clinic_id, id: row.id, external_ids })
    return row
  })
}
