import { isId, problem, type Tx } from '@svc/kit'
import type { BudgetKey, BudgetRow } from '../../db/budgets.ts'
import { lockWithTime } from '../../db/transitions.ts'

/**
 * Like `getStaffBudget`, but locked and with the transaction's instant. A budget whose patient's data was erased cannot
 * be changed: `patient_erased`.
 */
export async function lockStaffBudget(tx: Tx, { clinic_id, id }: BudgetKey): Promise<{ budget: BudgetRow, now: Date }> {
  const locked = isId(id) ? await lockWithTime(tx, id) : null
  if (!locked || locked.budget.clinic_id !== clinic_id) throw problem('not_found')
  if (locked.budget.erased_at) throw problem('patient_erased')
  return locked
}
