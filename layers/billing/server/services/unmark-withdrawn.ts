import type { Ctx } from '@svc/kit'
import { hasIssued, type BudgetKey } from '../db/invoices.ts'

/** A withdrawn budget no longer needs attention once none of its invoices is left. Call it after the transaction. */
export async function unmarkWithdrawn(ctx: Ctx, { clinic_id, budget_id }: BudgetKey): Promise<void> {
  if (await hasIssued(ctx.db, { clinic_id, budget_id })) return
  await ctx.use('budget').markWithdrawnInvoiced({ clinic_id, id: budget_id }, false)
}
