import { isId, problem, type Ctx, type Tx } from '@svc/kit'
import type { NewReturn } from '@svc/kit/modules/billing'
import { findAdvance, listApplied, type StoredAdvance } from '../../db/advances.ts'
import { findInvoiceLocked, updateInvoice, type InvoiceRow } from '../../db/invoices.ts'
import { insertReversal, listPayments } from '../../db/payments.ts'
import { settled } from '../../../shared/domain/invoice-state.ts'
import { sumOf } from '../views.ts'
import { checkAdvances } from './check-advances.ts'
import { payDueInvoices } from './pay-from-advances.ts'
import { insertReturn, isRepeated, lockMoneyOf, type Return } from './returns.ts'

/**
 * `returnAdvance` of the kit: modules call it for money that was already returned. Unlike a member's request
 * (`return-advance-by-member.ts`), it is not refused if an invoice uses the money: all payments from this advance are
 * reversed, and the budget's open advances pay the invoices again. If this advance already has a return with this
 * `reversal_id` and the same amount, nothing is recorded again. Throws `not_found`, `over_advance`, `return_id_used`.
 */
export async function returnAdvance(ctx: Ctx, tx: Tx, input: NewReturn): Promise<StoredAdvance> {
  const { clinic_id, advance_id, amount, reason, reversal_id, reversed_by = null } = input
  if (reversal_id !== undefined && !isId(reversal_id)) throw new Error(`${reversal_id} is not a UUID`)
  const key = { clinic_id, id: advance_id }
  await lockMoneyOf(tx, key)
  const advance = (await findAdvance(tx, key))!
  if (await isRepeated(tx, advance, { reversal_id, amount })) return advance
  if (amount <= 0n) throw new Error(`${amount} minor units cannot be returned`)
  if (amount > advance.amount - advance.returned) throw problem('over_advance')
  const back = { amount, reason, reversal_id, reversed_by }
  const invoices = amount > advance.balance ? await reversePayments(ctx, tx, advance, back) : []
  await insertReturn(ctx, tx, advance, back)
  // Only an issued invoice accepts payments, so a paid invoice becomes issued first.
  for (const invoice of invoices)
    await updateInvoice(tx, invoice.id, { status: settled(invoice, sumOf(await listPayments(tx, invoice.id))) })
  await payDueInvoices(tx, invoices, reversed_by)
  await checkAdvances(ctx, tx, advance)
  return (await findAdvance(tx, key))!
}

/** Reverses all payments from the advance, and returns their invoices, oldest payment first. */
async function reversePayments(
  ctx: Ctx,
  tx: Tx,
  { id, clinic_id }: StoredAdvance,
  { reason, reversed_by }: Return
): Promise<InvoiceRow[]> {
  const payments = (await listApplied(tx, [id])).filter(({ reversed_at }) => !reversed_at)
  const invoices: InvoiceRow[] = []
  for (const invoice_id of new Set(payments.map(payment => payment.invoice_id)))
    invoices.push((await findInvoiceLocked(tx, { clinic_id, id: invoice_id }))!)
  const reversed_at = await ctx.clock.now(tx)
  for (const { id: payment_id, invoice_id } of payments)
    await insertReversal(tx, { payment_id, invoice_id, clinic_id, reason, reversed_at, reversed_by })
  return invoices
}
