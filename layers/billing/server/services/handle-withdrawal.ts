import type { Ctx } from '@svc/kit'
import { lockDocumentsOf, lockMoney } from '../db/advances.ts'
import { hasIssued, listDraftsLocked, updateInvoice } from '../db/invoices.ts'
import { checkAdvancesOf } from './advances/check-advances.ts'

const REASON = 'budget_withdrawn'

/**
 * Handles the withdrawal of an acceptance: drafts are cancelled, and an issued invoice needs follow-up by a person. The
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
    // An erasure locks the same drafts, and a split that runs at the same time adds one.
    await lockDocumentsOf(tx, { clinic_id, patient_id: budget.patient.id }, { shared: true })
    await lockMoney(tx, { clinic_id, budget_number: budget.number })
    for (const { id } of await listDraftsLocked(tx, { clinic_id, budget_id }))
      await updateInvoice(tx, id, {
        status: 'cancelled',
        cancelled_at: await ctx.clock.now(tx),
        cancelled_by: withdrawn_by,
        cancel_reason: REASON
      })
    return await hasIssued(tx, { clinic_id, budget_id })
  })
  // The mark was set before the invoices were read, so that a concurrent cancellation removes it afterwards.
  if (!is_issued) await mark(false)
  await checkAdvancesOf(ctx, { clinic_id, budget_id })
}
