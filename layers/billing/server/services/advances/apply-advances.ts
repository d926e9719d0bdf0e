import type { Tx } from '@svc/kit'
import type { AdvanceRow } from '../../db/advances.ts'
import type { InvoiceRow } from '../../db/invoices.ts'
import { insertPayment } from '../../db/payments.ts'

/** Adds a payment of the issued invoice for each part of the plan. Call it under the lock of the money. */
export async function applyAdvances(
  tx: Tx,
  { id: invoice_id, clinic_id }: InvoiceRow,
  plan: { advance: AdvanceRow, amount: bigint }[],
  created_by: string | null
): Promise<void> {
  for (const { advance: { id: advance_id, method, paid_at }, amount } of plan)
    await insertPayment(tx, { invoice_id, clinic_id, amount, method, paid_at, created_by, advance_id })
}
