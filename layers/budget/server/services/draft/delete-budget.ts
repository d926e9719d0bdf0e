import type { Ctx } from '@svc/kit'
import { removeBudget, type BudgetKey } from '../../db/budgets.ts'
import { assertAllowed } from '../../../shared/domain/budget-state.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { assertUnsent } from '../log/assert-unsent.ts'
import { noteRemoved } from '../log/number-seal.ts'

/**
 * Only drafts can be deleted. The number stays unused, and a sealed note records why. Throws `not_found`, `wrong_state`
 * or `content_tampered`.
 */
export async function deleteBudget(ctx: Ctx, { user_id, ...key }: BudgetKey & { user_id: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { budget } = await lockStaffBudget(tx, key)
    assertAllowed(budget.status, 'delete')
    await assertUnsent(ctx, tx, budget)
    await removeBudget(tx, budget.id)
    await noteRemoved(ctx, tx, { draft: budget, removed_by: user_id })
  })
}
