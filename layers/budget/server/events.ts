import type { BudgetFact } from '@svc/kit/modules/budget'
import type { BudgetRow } from './db/budgets.ts'

/** Publish with `{ key: budget_id }`, so that the events of one budget are delivered in order. */
export const factOf = (row: Pick<BudgetRow, 'id' | 'clinic_id' | 'number' | 'version' | 'patient_id'>): BudgetFact => ({
  clinic_id: row.clinic_id,
  budget_id: row.id,
  budget_number: row.number,
  version: row.version,
  patient_id: row.patient_id
})
