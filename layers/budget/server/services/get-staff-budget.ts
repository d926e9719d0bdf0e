import { problem, type Ctx } from '@svc/kit'
import { findBudget, type BudgetKey, type BudgetRow } from '../db/budgets.ts'
import { isId } from '../domain/id.ts'

/** Throws `not_found`, also for another clinic's. */
export async function getStaffBudget(ctx: Ctx, key: BudgetKey): Promise<BudgetRow> {
  const budget = isId(key.id) ? await findBudget(ctx.db, key) : null
  if (!budget) throw problem('not_found')
  return budget
}
