import { problem, type Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { PaymentRequest } from '../../shared/contract.ts'
import { updateInvoice, type InvoiceKey } from '../db/invoices.ts'
import { insertPayment } from '../db/payments.ts'
import { assertAllowed, dueOf, settled } from '../../shared/domain/invoice-state.ts'
import { changeInvoice, type LockedInvoice } from './change-invoice.ts'
import { getInvoice, type Detail } from './get-invoice.ts'
import { readAmount, readPaidAt } from './read-payment.ts'

/**
 * Records a payment. Once the total is reached, the invoice is paid. If this invoice already has a payment with this
 * `payment_id` and the same amount and method, nothing is recorded again. Throws `not_found`, `validation_failed`,
 * `wrong_state`, `over_payment`, `payment_id_used`.
 */
export async function recordPayment(
  ctx: Ctx,
  { payment, ...key }: InvoiceKey & { user_id: string, payment: PaymentRequest }
): Promise<Detail> {
  await changeInvoice(ctx, key, async (tx, locked) => {
    const { invoice, paid } = locked
    const amount = readAmount(payment.amount, invoice.currency)
    if (isRepeated(locked, payment, amount)) return
    assertAllowed({ ...invoice, paid }, 'pay')
    const paid_at = await readPaidAt(ctx, tx, key.clinic_id, payment.paid_at)
    if (amount > dueOf(invoice, paid)) throw overPayment(locked)
    const { id, clinic_id } = invoice
    const row = {
      ...(payment.payment_id ? { id: payment.payment_id } : {}),
      invoice_id: id,
      clinic_id,
      amount,
      method: payment.method,
      paid_at,
      note: payment.note ?? null,
      created_by: key.user_id
    }
    if (!(await insertPayment(tx, row))) throw problem('payment_id_used')
    await updateInvoice(tx, id, { status: settled(invoice, paid + amount) })
  })
  return await getInvoice(ctx, key)
}

function isRepeated({ payments }: LockedInvoice, { payment_id, method }: PaymentRequest, amount: bigint): boolean {
  const known = payments.find(({ id }) => id === payment_id)
  if (known && (known.amount !== amount || known.method !== method)) throw problem('payment_id_used')
  return known !== undefined
}

function overPayment({ invoice, paid }: LockedInvoice) {
  const { currency } = invoice
  const due = formatMoney(dueOf(invoice, paid), currency)
  return problem('over_payment', {
    detail: `Only ${due} ${currency} is due on this invoice. Record that amount at most.`,
    due
  })
}
