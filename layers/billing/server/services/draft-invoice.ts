import type { Ctx } from '@svc/kit'
import { insertInvoice } from '../db/invoices.ts'
import { handleWithdrawal } from './handle-withdrawal.ts'

/**
 * Creates the draft of an accepted budget, line by line at the prices that the patient accepted. Does nothing if the
 * acceptance was withdrawn. The event may be delivered again, even concurrently: nothing is drafted twice, also if
 * the draft was split, issued or cancelled meanwhile.
 */
export async function draftInvoice(
  ctx: Ctx,
  { clinic_id, budget_id }: { clinic_id: string, budget_id: string }
): Promise<void> {
  const budgets = ctx.use('budget')
  const budget = await budgets.getBudget(clinic_id, budget_id)
  if (!budget) throw new Error(`the accepted budget ${budget_id} is not there`)
  // The event is only a hint; the budget's current state decides.
  if (budget.status !== 'accepted') return ctx.log.warn('billing.not_accepted', { budget_id, status: budget.status })
  if (budget.withdrawn_at) return
  const { number, version, currency, locale, total, tax_total, patient, items } = budget
  const row = {
    clinic_id,
    budget_id,
    budget_number: number,
    budget_version: version,
    currency,
    locale,
    total,
    tax_total,
    patient_id: patient.id,
    patient_first_name: patient.first_name,
    patient_last_name: patient.last_name
  }
  const lines = items.map(({ id: budget_item_id, treatment_id, code, name, quantity, vat, price, tax }, position) => ({
    clinic_id,
    position,
    budget_item_id,
    treatment_id,
    code,
    name,
    quantity,
    vat,
    price,
    tax
  }))
  const id = await ctx.db.transaction(tx => insertInvoice(tx, row, lines))
  if (id) ctx.log.info('billing.invoice_drafted', { invoice_id: id, budget_id })
  // If the acceptance was withdrawn meanwhile, the withdrawal found no draft to cancel.
  const after = await budgets.getBudget(clinic_id, budget_id)
  if (after?.withdrawn_at) await handleWithdrawal(ctx, { clinic_id, budget_id, withdrawn_by: after.withdrawn_by })
}
