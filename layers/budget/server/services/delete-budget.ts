import type { Ctx } from '@svc/kit'
import { removeBudget, type BudgetKey } from '../db/budgets.ts'
import { mustAllow } from '../domain/budget-state.ts'
import { lockStaffBudget } from './lock-staff-budget.ts'

/** Drafts only. The number stays unused. Throws `not_found`, `wrong_state`. */
export async function deleteBudget(ctx: Ctx, key: BudgetKey): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { budget } = await lockStaffBudget(tx, key)
    mustAllow(budget.status, 'delete')
    await removeBudget(tx, budget.id)
  })
}
