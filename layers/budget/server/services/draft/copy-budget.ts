import { randomUUID } from 'node:crypto'
import { problem, type Ctx, type Tx } from '@svc/kit'
import { insertBudget, type BudgetRow } from '../../db/budgets.ts'
import { insertItems, listItems } from '../../db/items.ts'
import { discountOf } from '../../../shared/domain/discount.ts'
import type { Choice } from '../../../shared/domain/selection.ts'
import { isOver } from '../../../shared/domain/validity.ts'
import { asOffered } from '../budget/offer.ts'
import { copiedPlace } from '../budget/place.ts'
import { startLog } from '../log/log-chain.ts'

type Identity = Pick<BudgetRow, 'number' | 'version' | 'revises_id' | 'created_by'>

/**
 * Copies patient, lines, choices, prices, discounts and notes into a new draft, as agreed and not as in the current
 * catalog, and with or without tax as in the source, whatever the clinic's current setting. Link, code and decision are
 * not copied, nor a validity that has passed.
 */
export async function copyBudget(ctx: Ctx, tx: Tx, source: BudgetRow, identity: Identity): Promise<BudgetRow> {
  if (source.erased_at) throw problem('patient_erased')
  const now = await ctx.clock.now(tx)
  const { time_zone } = await ctx.clinics.get(source.clinic_id, tx)
  const stale = source.valid_until === null || isOver(source.valid_until, time_zone, now)
  const stored = await listItems(tx, source.id)
  const { choices, newId } = renewIds(source.choices)
  const { original_total, total, tax_total } = asOffered(source, stored)
  const draft = await insertBudget(tx, {
    ...identity,
    ...startLog(ctx.secrets),
    clinic_id: source.clinic_id,
    patient_id: source.patient_id,
    patient_first_name: source.patient_first_name,
    patient_last_name: source.patient_last_name,
    professional_id: source.professional_id,
    professional_name: source.professional_name,
    professional_license: source.professional_license,
    currency: source.currency,
    prices_include_tax: source.prices_include_tax,
    locale: source.locale,
    deciduous: source.deciduous,
    time_zone,
    valid_until: stale ? null : source.valid_until,
    discount_type: source.discount_type,
    discount_value: source.discount_value,
    original_total,
    total,
    tax_total,
    choices,
    price_from: source.price_from,
    price_to: source.price_to,
    clause_ids: source.clause_ids,
    patient_notes: source.patient_notes,
    internal_notes: source.internal_notes
  })
  await insertItems(
    tx,
    draft,
    stored.map(({ id: _id, budget_id: _budget, clinic_id: _clinic, position: _position, ...item }) =>
      ({ ...item, ...copiedPlace(item), option_id: newId(item.option_id), discount: discountOf(item) }))
  )
  return draft
}

/** The same choices with new ids, because each version has its own, and the new id of each option. */
function renewIds(choices: Choice[] | null) {
  const ids = new Map(choices?.flatMap(({ options }) => options.map(({ id }) => [id, randomUUID()])))
  const newId = (id: string | null) => id === null ? null : ids.get(id) ?? null
  const renewed = choices?.map(choice => ({
    ...choice,
    id: randomUUID(),
    options: choice.options.map(option => ({ ...option, id: ids.get(option.id)! }))
  }))
  return { choices: renewed ?? null, newId }
}
