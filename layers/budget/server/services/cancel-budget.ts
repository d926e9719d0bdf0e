import { problem, type Ctx } from '@svc/kit'
import { lockBudget, updateBudget, type BudgetKey, type BudgetRow } from '../db/budgets.ts'
import { mustAllow, statusAt } from '../domain/budget-state.ts'
import { isId } from '../domain/id.ts'
import { factOf, type BudgetEvents } from '../events.ts'

type Input = BudgetKey & { user_id: string, reason?: string | null }

/** A draft, or a sent one that nobody has decided. Its link still opens, and says so. */
export async function cancelBudget(ctx: Ctx, { clinic_id, id, user_id, reason = null }: Input): Promise<BudgetRow> {
  return await ctx.db.transaction(async (tx) => {
    const row = isId(id) ? await lockBudget(tx, { clinic_id, id }) : null
    if (!row) throw problem('not_found')
    const now = await ctx.clock.now(tx)
    const status = mustAllow(statusAt(row, now), 'cancel')
    const cancelled = await updateBudget(tx, id, { status, closed_at: now, closed_reason: reason })
    const payload: BudgetEvents['budget.cancelled'] = { reason, cancelled_by: user_id }
    await ctx.events.publish(tx, 'budget.cancelled', { ...factOf(row), ...payload }, { key: id })
    return cancelled
  })
}
