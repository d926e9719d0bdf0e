import { isId, matchesEtag, problem, type Ctx, type Tx } from '@svc/kit'
import { lockDocumentsOf, lockMoney } from '../db/advances.ts'
import { findInvoice, findInvoiceLocked, type InvoiceKey, type InvoiceRow } from '../db/invoices.ts'
import { listPayments, type PaymentRow } from '../db/payments.ts'
import { sumOf } from './views.ts'

export interface ChangeKey extends InvoiceKey { user_id: string, if_match?: string }
/** The locked invoice; `paid` in minor units. */
export interface LockedInvoice { invoice: InvoiceRow, payments: PaymentRow[], paid: bigint }

/** Changes one locked invoice. Throws `not_found`, `precondition_failed`, and the errors of `change`. */
export async function changeInvoice(
  ctx: Ctx,
  { clinic_id, id, if_match }: ChangeKey,
  change: (tx: Tx, locked: LockedInvoice) => Promise<void>
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const found = isId(id) ? await findInvoice(tx, { clinic_id, id }) : null
    if (found) await lockAll(tx, found)
    // An invoice is locked before its credit notes, as an erasure does it.
    if (found?.credits_id) await findInvoiceLocked(tx, { clinic_id, id: found.credits_id })
    const invoice = found && await findInvoiceLocked(tx, { clinic_id, id })
    if (!invoice) throw problem('not_found')
    if (!matchesEtag(invoice.edit, if_match)) throw problem('precondition_failed')
    const payments = await listPayments(tx, invoice.id)
    await change(tx, { invoice, payments, paid: sumOf(payments) })
  })
}

/** A change can add a draft, which must have no name if the patient's data is erased at the same time. */
async function lockAll(tx: Tx, invoice: InvoiceRow): Promise<void> {
  await lockDocumentsOf(tx, invoice, { shared: true })
  await lockMoney(tx, invoice)
}
