import { problem, type Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { BilledInvoice } from '@svc/kit/modules/billing'
import type { NewRequest } from '../../../shared/contract.ts'
import { addDays, dayIn } from '../../../shared/domain/calendar.ts'
import { findRequest, lockInvoice, sumRequested, type StoredRequest } from '../../db/requests.ts'
import { settingsOf } from '../../settings.ts'
import { queueLink } from '../messages/mail-link.ts'
import { recordChange, type Who } from './cancel-request.ts'
import { addRequest } from './insert-request.ts'
import { invalid, readAmount } from './read-amount.ts'

type Input = NewRequest & { clinic_id: string, user_id: string, who: Who }

/**
 * “Request payment” on an issued invoice: the patient gets a link by email. Throws `wrong_state` for an invoice that is
 * not issued, `over_due` also if other requests ask for the rest, `id_used`. A repeated call with the same `request_id`
 * changes nothing.
 */
export async function requestPayment(ctx: Ctx, input: Input): Promise<string> {
  const { clinic_id, invoice_id, request_id, user_id } = input
  const known = request_id === undefined ? null : await findRequest(ctx.db, { clinic_id, id: request_id })
  if (known) return sameRequest(known, input)
  const due_on = await dayOf(ctx, input)
  return await ctx.db.transaction(async (tx) => {
    await lockInvoice(tx, { clinic_id, invoice_id })
    const again = request_id === undefined ? null : await findRequest(tx, { clinic_id, id: request_id })
    if (again) return sameRequest(again, input)
    // Before the invoice: what billing records in between counts twice instead of not at all.
    const requested = await sumRequested(tx, { clinic_id, invoice_id })
    const invoice = await ctx.use('billing').getInvoice(clinic_id, invoice_id, tx)
    if (!invoice) throw invalid('/invoice_id', 'There is no such invoice.')
    if (invoice.status !== 'issued')
      throw problem('wrong_state', { detail: 'Only an issued invoice that is not paid can be paid.' })
    const amount = readDue(invoice, input.amount, requested)
    const row = await addRequest(ctx, tx, {
      ...request_id === undefined ? {} : { id: request_id },
      clinic_id,
      kind: 'invoice',
      budget_id: invoice.budget.id,
      budget_number: invoice.budget.number,
      invoice_id,
      invoice_number: invoice.number,
      patient_id: invoice.patient.id,
      locale: invoice.locale,
      currency: invoice.currency,
      amount,
      due_on,
      created_by: user_id
    })
    if (!row) throw problem('id_used')
    if (input.send) await queueLink(ctx, tx, row)
    await recordChange(ctx, tx, row, input.who, 'requested')
    return row.id
  })
}

function sameRequest(known: StoredRequest, { invoice_id, amount }: Input): string {
  const isSame = known.invoice_id === invoice_id
    && (amount === undefined || readAmount(amount, known.currency) === known.amount)
  if (!isSame) throw problem('id_used')
  return known.id
}

/** At most what is due without what other requests ask for: all of them can be paid. */
function readDue({ due, currency }: BilledInvoice, text: string | undefined, requested: bigint): bigint {
  const left = requested < due ? due - requested : 0n
  const amount = text === undefined ? left : readAmount(text, currency)
  if (amount > left || amount === 0n) throw problem('over_due', {
    detail: requested === 0n
      ? `${formatMoney(due, currency)} ${currency} is due on the invoice. Request that amount at most.`
      : `${formatMoney(due, currency)} ${currency} is due on the invoice, and ${formatMoney(requested, currency)} was requested`
        + ' already. Request the rest at most, or cancel another request.',
    due: formatMoney(left, currency)
  })
  return amount
}

async function dayOf(ctx: Ctx, { clinic_id, due_on }: Input): Promise<string> {
  const { time_zone } = await ctx.clinics.get(clinic_id)
  const today = dayIn(time_zone, await ctx.clock.now())
  if (due_on !== undefined && due_on < today) throw invalid('/due_on', 'Must not be before today.')
  return due_on ?? addDays(today, (await settingsOf(ctx, clinic_id)).due_days)
}
