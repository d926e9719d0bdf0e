import { problem, type Ctx, type Tx } from '@svc/kit'
import { dayIn, yearIn } from '../../../shared/domain/calendar.ts'
import { assertAllowed } from '../../../shared/domain/invoice-state.ts'
import { findInvoiceLocked, isErased, listDueInvoices, updateInvoice, type InvoiceRow } from '../../db/invoices.ts'
import { takeNumber } from '../../db/numbers.ts'
import type { Recipient } from '../../db/schema.ts'
import { checkAdvances } from '../advances/check-advances.ts'
import { payDueInvoices } from '../advances/pay-from-advances.ts'
import { issuerOf, reasonNow, reasonOfIssued } from '../issuer.ts'
import { releasePayments } from './release-payments.ts'

interface Issue { user_id: string, recipient: Recipient | null }

/**
 * Issues a locked draft of a credit note, which takes its total off the invoice. What was paid beyond the rest becomes
 * an advance, which pays other due invoices of the budget. Where no invoice can be issued, it is a pro forma, as it is
 * if it corrects one. Call it with the money locked. Throws `wrong_state`, `patient_erased`.
 */
export async function issueCreditNote(
  ctx: Ctx,
  tx: Tx,
  note: InvoiceRow,
  { user_id, recipient }: Issue
): Promise<void> {
  assertAllowed({ ...note, paid: 0n }, 'issue')
  if (isErased(note)) throw problem('patient_erased')
  const { clinic_id, credits_id } = note
  const invoice = (await findInvoiceLocked(tx, { clinic_id, id: credits_id! }))!
  const clinic = await ctx.clinics.get(clinic_id, tx)
  // Locked before the number is taken, like the advances.
  const others = (await listDueInvoices(tx, invoice)).filter(({ id }) => id !== invoice.id)
  const finish = await releasePayments(ctx, tx, invoice, { note, user_id })
  const now = await ctx.clock.now(tx)
  const pro_forma_reason = await reasonNow(ctx, clinic, tx) ?? reasonOfIssued(invoice)
  const { number, issued_at } = await takeNumber(tx, {
    clinic_id,
    year: yearIn(clinic.time_zone, now),
    range: pro_forma_reason ? 'PF' : 'CN'
  })
  // A trigger takes the total off the invoice.
  await updateInvoice(tx, note.id, {
    status: 'issued',
    number,
    pro_forma_reason,
    issued_at,
    issued_on: dayIn(clinic.time_zone, issued_at),
    issued_by: user_id,
    issuer: issuerOf(clinic),
    recipient
  })
  if (await finish()) await payDueInvoices(tx, others, user_id)
  await checkAdvances(ctx, tx, invoice)
}
