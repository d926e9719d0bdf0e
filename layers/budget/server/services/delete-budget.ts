import { problem, type Ctx } from '@svc/kit'
import { lockBudget, removeBudget, type BudgetKey } from '../db/budgets.ts'
import { mustAllow } from '../domain/budget-state.ts'
import { isId } from '../domain/id.ts'

/** Drafts only. The number stays unused. */
export async function deleteBudget(ctx: Ctx, key: BudgetKey): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = isId(key.id) ? await lockBudget(tx, key) : null
    if (!row) throw problem('not_found')
    mustAllow(row.status, 'delete')
    await removeBudget(tx, key.id)
  })
}
