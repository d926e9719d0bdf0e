import type { Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { Attempt, PaymentRequest, Refund, RequestRow } from '../../../shared/contract.ts'
import { listAttempts, listRefunds, type StoredAttempt, type StoredRefund } from '../../db/attempts.ts'
import type { StoredRequest } from '../../db/requests.ts'
import { refundableOf } from '../refunds/refundable.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

/** Names come from their module, so that an erasure reaches them. */
export async function toRows(ctx: Ctx, clinic_id: string, stored: readonly StoredRequest[]): Promise<RequestRow[]> {
  const ids = [...new Set(stored.map(({ patient_id }) => patient_id))]
  const patients = await Promise.all(ids.map(id => ctx.use('clinical').getPatient(clinic_id, id)))
  const names = new Map(ids.map((id, index) => [id, patients[index]]))
  return stored.map(row => toRow(row, names.get(row.patient_id)))
}

function toRow(row: StoredRequest, patient: { first_name: string, last_name: string } | null | undefined): RequestRow {
  const { id, kind, state, currency, due_on, reference, method, attention } = row
  return {
    id,
    kind,
    state,
    budget: { id: row.budget_id, number: row.budget_number },
    invoice: row.invoice_id === null ? null : { id: row.invoice_id, number: row.invoice_number ?? '' },
    patient: { id: row.patient_id, first_name: patient?.first_name ?? '', last_name: patient?.last_name ?? '' },
    currency,
    amount: formatMoney(row.amount, currency),
    refunded: formatMoney(row.refunded, currency),
    due_on,
    reference,
    method,
    created_at: row.created_at.toISOString(),
    paid_at: iso(row.paid_at),
    attention
  }
}

export async function toRequest(ctx: Ctx, row: StoredRequest): Promise<PaymentRequest> {
  const [[head], attempts, refunds] = await Promise.all([
    toRows(ctx, row.clinic_id, [row]),
    listAttempts(ctx.db, [row.id]),
    listRefunds(ctx.db, [row.id])
  ])
  const members = [row.created_by, row.cancelled_by, ...refunds.map(({ created_by }) => created_by)]
  const people = members.filter(id => id !== null)
  const names = people.length > 0 ? await ctx.users.names(people) : new Map<string, string>()
  const person = (id: string | null) => id === null ? null : { id, name: names.get(id) ?? '' }
  return {
    ...head!,
    created_by: person(row.created_by),
    cancelled_at: iso(row.cancelled_at),
    cancelled_by: person(row.cancelled_by),
    cancel_reason: row.cancel_reason,
    mailed_at: iso(row.mailed_at),
    mail_error: row.mail_error,
    attempts: attempts.map(attempt => toAttempt(attempt, refunds)),
    refunds: refunds.map(refund => toRefund(refund, {
      currency: attempts.find(({ id }) => id === refund.attempt_id)?.paid_currency ?? row.currency,
      created_by: person(refund.created_by)
    }))
  }
}

function toAttempt(row: StoredAttempt, refunds: StoredRefund[]): Attempt {
  const { id, provider, mode, state, attention, amount, currency, paid_amount, method, ref, payment_ref } = row
  const paid_currency = row.paid_currency ?? currency
  return {
    id,
    provider,
    mode,
    state,
    attention,
    amount: formatMoney(amount, currency),
    paid_amount: paid_amount === null ? null : formatMoney(paid_amount, paid_currency),
    paid_currency: row.paid_currency,
    refundable: formatMoney(refundableOf(row, refunds), paid_currency),
    method,
    ref,
    payment_ref,
    created_at: row.created_at.toISOString(),
    paid_at: iso(row.paid_at),
    checked_at: iso(row.checked_at)
  }
}

const toRefund = (
  { id, attempt_id, amount, state, reason, detail, created_at, done_at }: StoredRefund,
  { currency, created_by }: { currency: string, created_by: Refund['created_by'] }
): Refund => ({
  id,
  attempt_id,
  amount: formatMoney(amount, currency),
  state,
  reason,
  detail,
  created_at: created_at.toISOString(),
  created_by,
  done_at: iso(done_at)
})
