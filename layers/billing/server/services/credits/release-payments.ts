import type { Ctx, Tx } from '@svc/kit'
import { dueOf, settled } from '../../../shared/domain/invoice-state.ts'
import { insertAdvanceOf } from '../advances/record-advance.ts'
import { payFromAdvances, planFromAdvances } from '../advances/pay-from-advances.ts'
import { findInvoiceLocked, updateInvoice, type InvoiceRow } from '../../db/invoices.ts'
import { insertPayment, insertReversal, listPayments, type PaymentRow } from '../../db/payments.ts'
import { sumOf } from '../views.ts'

interface About { note: InvoiceRow, user_id: string }

/**
 * Reverses the newest payments of an invoice that its credit note leaves without a claim. Call what it returns once the
 * note is issued: it records again what the invoice still takes of them, and the rest becomes advances. A payment that
 * came from an advance goes back into it. The call answers whether any money was released.
 */
export async function releasePayments(
  ctx: Ctx,
  tx: Tx,
  invoice: InvoiceRow,
  { note, user_id }: About
): Promise<() => Promise<boolean>> {
  const payments = (await listPayments(tx, invoice.id)).filter(({ reversal }) => !reversal)
  const beyond = note.total - dueOf(invoice, sumOf(payments))
  if (beyond <= 0n) return async () => false
  const released = release(payments, beyond)
  const reversed_at = await ctx.clock.now(tx)
  const { id: invoice_id, clinic_id } = invoice
  for (const { payment: { id: payment_id } } of released)
    await insertReversal(tx, {
      payment_id, invoice_id, clinic_id, reason: note.credit_reason, reversed_at, reversed_by: user_id
    })
  if (invoice.status === 'paid') await updateInvoice(tx, invoice_id, { status: 'issued' })
  return async () => {
    const after = (await findInvoiceLocked(tx, { clinic_id, id: invoice_id }))!
    await payAgain(tx, after, released, user_id)
    for (const { payment: { method, paid_at, advance_id }, amount } of released)
      if (!advance_id) await insertAdvanceOf(ctx, tx, after, { amount, method, paid_at, created_by: user_id })
    return true
  }
}

interface Released { payment: PaymentRow, /** The part that the invoice no longer takes. */ amount: bigint }

/** Newest first, until `beyond` is reached. */
function release(payments: PaymentRow[], beyond: bigint): Released[] {
  let rest = beyond
  return payments.toReversed().flatMap((payment) => {
    const amount = payment.amount < rest ? payment.amount : rest
    rest -= amount
    return amount > 0n ? [{ payment, amount }] : []
  })
}

/** Only the last of the released payments can have a part that the invoice still takes. */
async function payAgain(tx: Tx, invoice: InvoiceRow, released: Released[], created_by: string): Promise<void> {
  const { id: invoice_id, clinic_id } = invoice
  for (const { payment: { amount: whole, method, paid_at, note, advance_id }, amount } of released) {
    if (advance_id || whole === amount) continue
    await insertPayment(tx, { invoice_id, clinic_id, amount: whole - amount, method, paid_at, note, created_by })
  }
  const paid = sumOf(await listPayments(tx, invoice_id))
  const plan = await planFromAdvances(tx, invoice, paid)
  await payFromAdvances(tx, invoice, plan, created_by)
  if (settled(invoice, plan.paid) !== invoice.status)
    await updateInvoice(tx, invoice_id, { status: settled(invoice, plan.paid) })
}
