import type { Ctx } from '@svc/kit'
import { findInvoiceOfBudget, updateInvoice } from '../db/invoices.ts'
import { checkAdvancesOf } from './advances/check-advances.ts'

const REASON = 'budget_withdrawn'

/**
 * Handles the withdrawal of an acceptance: a draft is cancelled, and an issued invoice needs follow-up by a person. The
 * event may be delivered again.
 */
export async function handleWithdrawal(
  ctx: Ctx,
  { clinic_id, budget_id, withdrawn_by }: { clinic_id: string, budget_id: string, withdrawn_by: string | null }
): Promise<void> {
  const budgets = ctx.use('budget')
  // The event is only a hint; the budget's current state decides.
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
  // The mark was set before the invoice was read, so that a concurrent cancellation removes it afterwards.
  if (!is_issued) await mark(false)
  await checkAdvancesOf(ctx, { clinic_id, budget_id })
}
