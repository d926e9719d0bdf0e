import { isId, problem, type Db, type Tx } from '@svc/kit'
import { findBudget, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'

/** Throws `not_found` for malformed and unknown ids, and for another clinic's. */
export async function getStaffBudget(db: Db | Tx, key: BudgetKey): Promise<BudgetRow> {
  const budget = isId(key.id) ? await findBudget(db, key) : null
  if (!budget) throw problem('not_found')
  return budget
}
