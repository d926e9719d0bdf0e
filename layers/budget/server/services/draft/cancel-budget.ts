import type { Ctx } from '@svc/kit'
import { updateBudget, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { withdrawMessage } from '../../db/links.ts'
import { assertAllowed, statusAt } from '../../../shared/domain/budget-state.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { logAccess } from '../log/log-access.ts'
import { assertUnsent } from '../log/assert-unsent.ts'
import { publishFact } from '../budget/publish-fact.ts'

type Input = BudgetKey & { user_id: string, reason?: string | null }

/**
 * Cancels a draft, or a sent budget that is not decided yet. Its link still opens, and shows the cancellation. A queued
 * message is not sent any more, because it may have been for the wrong person. Throws `not_found`, `wrong_state` or
 * `content_tampered`.
 */
export async function cancelBudget(ctx: Ctx, { user_id, reason = null, ...key }: Input): Promise<BudgetRow> {
  return await ctx.db.transaction(async (tx) => {
    const { budget, now } = await lockStaffBudget(tx, key)
    const status = assertAllowed(statusAt(budget, now), 'cancel')
    await assertUnsent(ctx, tx, budget)
    const cancelled = await updateBudget(tx, budget.id, { status, closed_at: now, closed_reason: reason })
    await withdrawMessage(tx, budget.id)
    if (budget.status === 'sent') {
      const entry = { budget_id: budget.id, action: 'cancelled' as const, actor: 'staff' as const, user_id }
      await logAccess(ctx, tx, { ...entry, personal: reason === null ? undefined : { reason } }, { ...budget, now })
    }
    await publishFact(ctx, tx, { name: 'budget.cancelled', budget, fields: { reason, cancelled_by: user_id } })
    return cancelled
  })
}
