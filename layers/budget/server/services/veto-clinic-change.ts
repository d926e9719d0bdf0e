import type { Tx } from '@svc/kit'
import { hasBudgets } from '../db/budgets.ts'

/** The host asks before it changes a clinic: prices are in the clinic's currency, so it stays from the first budget on. */
export async function vetoClinicChange(clinic_id: string, change: { currency?: string }, tx: Tx): Promise<{ field: string, reason: string }[]> {
  if (change.currency === undefined || !await hasBudgets(tx, clinic_id)) return []
  return [{ field: 'currency', reason: 'The currency stays as it is: the clinic has budgets in it.' }]
}
