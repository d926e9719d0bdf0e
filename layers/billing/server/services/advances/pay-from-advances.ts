import type { Tx } from '@svc/kit'
import { listOpenLocked, type StoredAdvance } from '../../db/advances.ts'
import { updateInvoice, type InvoiceRow } from '../../db/invoices.ts'
import { insertPayment, listPayments } from '../../db/payments.ts'
import { planApplication } from '../../../shared/domain/advances.ts'
import { dueOf, settled } from '../../../shared/domain/invoice-state.ts'
import { sumOf } from '../views.ts'

/** The amount that an invoice takes from each advance, and the amount paid afterwards, in minor units. */
export interface AdvancePlan { parts: { advance: StoredAdvance, amount: bigint }[], paid: bigint }

/**
 * How the budget's open advances pay the amount due of an invoice, oldest first. `paid` is the amount already paid.
 * Call it with the money locked; it locks the advances.
 */
export async function planFromAdvances(tx: Tx, invoice: InvoiceRow, paid: bigint): Promise<AdvancePlan> {
  const open = (await listOpenLocked(tx, invoice)).filter(({ currency }) => currency === invoice.currency)
  const parts = planApplication(open, dueOf(invoice, paid))
  return { parts, paid: parts.reduce((sum, { amount }) => sum + amount, paid) }
}

/** Adds a payment for each part of the plan to the issued invoice, and sets its status. */
export async function payFromAdvances(
  tx: Tx,
  invoice: InvoiceRow,
  { parts, paid }: AdvancePlan,
  created_by: string | null
): Promise<void> {
  if (parts.length === 0) return
  const { id: invoice_id, clinic_id } = invoice
  for (const { advance: { id: advance_id, method, paid_at }, amount } of parts)
    await insertPayment(tx, { invoice_id, clinic_id, amount, method, paid_at, created_by, advance_id })
  await updateInvoice(tx, invoice_id, { status: settled(invoice, paid) })
}

/** Pays these locked invoices of a budget from its open advances, in the given order. Call it with the money locked. */
export async function payDueInvoices(tx: Tx, invoices: InvoiceRow[], created_by: string | null): Promise<void> {
  for (const invoice of invoices) {
    const paid = sumOf(await listPayments(tx, invoice.id))
    await payFromAdvances(tx, invoice, await planFromAdvances(tx, invoice, paid), created_by)
  }
}
