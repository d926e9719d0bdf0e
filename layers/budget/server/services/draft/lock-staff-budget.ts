import { isId, problem, type Tx } from '@svc/kit'
import type { BudgetKey, BudgetRow } from '../../db/budgets.ts'
import { lockWithTime } from '../../db/transitions.ts'

/**
 * As `getStaffBudget`, under lock, with the transaction's instant. What is left of an erased patient's budget cannot
 * be changed: `patient_erased`.
 */
export async function lockStaffBudget(tx: Tx, { clinic_id, id }: BudgetKey): Promise<{ budget: BudgetRow, now: Date }> {
  const locked = isId(id) ? await lockWithTime(tx, id) : null
  if (!locked || locked.budget.clinic_id !== clinic_id) throw problem('not_found')
  if (locked.budget.erased_at) throw problem('patient_erased')
  return locked
}
