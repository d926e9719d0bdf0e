import type { Ctx } from '@svc/kit'
import { findInvoiceOfBudget, updateInvoice } from '../db/invoices.ts'
import { checkAdvancesOf } from './advances/check-advances.ts'

const REASON = 'budget_withdrawn'

/**
 * The acceptance of a budget was withdrawn: its draft is cancelled; what was issued is for a person to see to. The
 * event may come again.
 */
export async function takeBackInvoice(
  ctx: Ctx,
  { clinic_id, budget_id, withdrawn_by }: { clinic_id: string, budget_id: string, withdrawn_by: string | null }
): Promise<void> {
  const budgets = ctx.use('budget')
  // The event is a hint; what counts is what the budget says.
  const budget = await budgets.getBudget(clinic_id, budget_id)
  if (!budget?.withdrawn_at) return ctx.log.warn('billing.not_withdrawn', { budget_id })
  const mark = (is_invoiced: boolean) =>
    budgets.markWithdrawnInvoiced({ clinic_id, id: budget_id }, is_invoiced)
  await mark(true)
  const is_issued = await ctx.db.transaction(async (tx) => {
    const invoice = await findInvoiceOfBudget(tx, { clinic_id, budget_id })
    if (invoice?.status === 'draft')
      await updateInvoice(tx, invoice.id, {
        status: 'cancelled',
        cancelled_at: await ctx.clock.now(tx),
        cancelled_by: withdrawn_by,
        cancel_reason: REASON
      })
    return invoice?.status === 'issued' || invoice?.status === 'paid'
  })
  // Marked before it was looked at, so that a cancellation at the same time has the last word.
  if (!is_issued) await mark(false)
  await checkAdvancesOf(ctx, { clinic_id, budget_id })
}
