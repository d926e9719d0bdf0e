import { problem, type Ctx } from '@svc/kit'
import { assertAllowed, settled } from '../../shared/domain/invoice-state.ts'
import { updateInvoice, type InvoiceKey } from '../db/invoices.ts'
import { insertReversal } from '../db/payments.ts'
import { checkAdvances } from './advances/check-advances.ts'
import { changeInvoice } from './change-invoice.ts'
import { getInvoice, type Detail } from './get-invoice.ts'
import { sumOf } from './views.ts'

interface Input extends InvoiceKey { user_id: string, payment_id: string, reason: string }

/**
 * Reverses a payment that bounced, was returned or was a mistake. Its row does not change, and the reversal has its own
 * row. A paid invoice is due again, and an amount from an advance returns to its balance. Throws `not_found`,
 * `wrong_state`, `payment_reversed`.
 */
export async function reversePayment(ctx: Ctx, { payment_id, reason, ...key }: Input): Promise<Detail> {
  await changeInvoice(ctx, key, async (tx, { invoice, payments, paid }) => {
    const payment = payments.find(({ id }) => id === payment_id)
    if (!payment) throw problem('not_found')
    if (payment.reversal) throw problem('payment_reversed')
    assertAllowed({ ...invoice, paid }, 'reverse')
    const { id: invoice_id, clinic_id } = invoice
    const reversed_at = await ctx.clock.now(tx)
    await insertReversal(tx, { payment_id, invoice_id, clinic_id, reason, reversed_at, reversed_by: key.user_id })
    const others = payments.filter(({ id }) => id !== payment_id)
    await updateInvoice(tx, invoice_id, { status: settled(invoice, sumOf(others)) })
    if (payment.advance_id) await checkAdvances(ctx, tx, invoice)
  })
  return await getInvoice(ctx, key)
}
