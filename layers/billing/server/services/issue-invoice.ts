import { problem, type Ctx } from '@svc/kit'
import { isErased, updateInvoice } from '../db/invoices.ts'
import { takeNumber } from '../db/numbers.ts'
import { settingsOf } from '../settings.ts'
import type { IssueRequest } from '../../shared/contract.ts'
import { addDays, dayIn, yearIn } from '../../shared/domain/calendar.ts'
import { assertAllowed, settled } from '../../shared/domain/invoice-state.ts'
import { checkAdvances } from './advances/check-advances.ts'
import { payFromAdvances, planFromAdvances } from './advances/pay-from-advances.ts'
import { changeInvoice, type ChangeKey } from './change-invoice.ts'
import { checkIssue, logRefusal } from './check-issue.ts'
import { issueCreditNote } from './credits/issue-credit-note.ts'
import { getInvoice, getStoredInvoice, type Detail } from './get-invoice.ts'
import { issuerOf, reasonNow } from './issuer.ts'
import { assertNotWithdrawn } from './assert-not-withdrawn.ts'
import { findRecipient } from './recipient.ts'
import { unmarkWithdrawn } from './unmark-withdrawn.ts'

/**
 * Assigns the next number of the clinic's year to a draft and freezes it, with the clinic's current details. If it may
 * not be an invoice, it is a pro forma with a number of their own range. The number is taken late, so that other
 * transactions wait for it only briefly. Open advances of the budget become payments, oldest first. A draft of a credit
 * note is issued by `issueCreditNote`. Throws `not_found`, `validation_failed`, `precondition_failed`, `wrong_state`,
 * `patient_erased`, and the problems of guards.
 */
export async function issueInvoice(ctx: Ctx, { due_on, ...key }: ChangeKey & IssueRequest): Promise<Detail> {
  const stored = await getStoredInvoice(ctx, key)
  await assertNotWithdrawn(ctx, stored)
  // Called before the transaction, because another module uses another connection.
  const recipient = await findRecipient(ctx, { clinic_id: key.clinic_id, id: stored.patient_id })
  await logRefusal(ctx, key, () => changeInvoice(ctx, key, async (tx, locked) => {
    const { invoice, paid } = locked
    if (invoice.kind === 'credit_note')
      return await issueCreditNote(ctx, tx, invoice, { user_id: key.user_id, recipient })
    assertAllowed({ ...invoice, paid }, 'issue')
    if (isErased(invoice)) throw problem('patient_erased')
    const clinic = await ctx.clinics.get(key.clinic_id, tx)
    const { time_zone } = clinic
    const { payment_days } = await settingsOf(ctx, key.clinic_id, tx)
    const today = dayIn(time_zone, await ctx.clock.now(tx))
    if (due_on && due_on < today)
      throw problem('validation_failed', { errors: [{ pointer: '/due_on', message: 'This day is over.' }] })
    const plan = await planFromAdvances(tx, invoice, paid)
    await checkIssue(ctx, tx, { ...locked, paid: plan.paid })
    const pro_forma_reason = await reasonNow(ctx, clinic, tx)
    const { number, issued_at } = await takeNumber(tx, {
      clinic_id: key.clinic_id,
      year: yearIn(time_zone, await ctx.clock.now(tx)),
      range: pro_forma_reason ? 'PF' : 'INV'
    })
    const issued_on = dayIn(time_zone, issued_at)
    const usual = payment_days === null ? null : addDays(issued_on, payment_days)
    await updateInvoice(tx, invoice.id, {
      status: settled(invoice, paid),
      number,
      pro_forma_reason,
      issued_at,
      issued_on,
      due_on: due_on === undefined ? usual : due_on,
      issued_by: key.user_id,
      issuer: issuerOf(clinic),
      recipient
    })
    await payFromAdvances(tx, invoice, plan, key.user_id)
    await checkAdvances(ctx, tx, invoice)
  }))
  if (stored.kind === 'credit_note') await unmarkWithdrawn(ctx, stored)
  return await getInvoice(ctx, key)
}
