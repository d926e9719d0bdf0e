import type { Tx } from '@svc/kit'
import type { AdvanceRow } from '../../db/advances.ts'
import type { InvoiceRow } from '../../db/invoices.ts'
import { insertPayment } from '../../db/payments.ts'

/** Makes payments of an issued invoice out of advances, under the lock of their money. */
export async function applyAdvances(
  tx: Tx,
  { id: invoice_id, clinic_id }: InvoiceRow,
  plan: { advance: AdvanceRow, amount: bigint }[],
  created_by: string | null
): Promise<void> {
  for (const { advance: { id: advance_id, method, paid_at }, amount } of plan)
    await insertPayment(tx, { invoice_id, clinic_id, amount, method, paid_at, created_by, advance_id })
}
