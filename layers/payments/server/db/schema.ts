import { sql } from 'drizzle-orm'
import { check, customType, date, foreignKey, index, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Attention, AttemptState, RefundState, RequestState } from '../../shared/domain/request-state.ts'
import type { ProviderName } from '../../shared/settings.ts'
import { instant, minor } from './columns.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export type Kind = 'deposit' | 'invoice'
export type Mode = 'test' | 'live'
export type Method = 'card' | 'transfer' | 'cash' | 'other'

/**
 * The deposit that a version's condition states, fixed when it was sent: later settings don't change what the patient
 * accepts.
 */
export const terms = pgTable('payments_terms', {
  budget_id: uuid().primaryKey(),
  clinic_id: uuid().notNull(),
  /** Hundredths of a percent of the accepted total. */
  percent: integer(),
  /** Or an amount in minor units. */
  amount: minor('amount'),
  /** No deposit below this total, in minor units. */
  from_total: minor('from_total').notNull().default(sql`0`),
  due_days: integer().notNull(),
  created_at: instant('created_at').notNull().defaultNow()
}, () => [
  check('payments_terms_kind', sql`(percent is null) <> (amount is null)`),
  check('payments_terms_range', sql`percent between 0 and 10000 and due_days >= 0 and from_total >= 0`)
])

/** Money that a patient is asked for. No foreign key leads out of the module. */
export const request = pgTable('payments_request', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  kind: text().$type<Kind>().notNull(),
  budget_id: uuid().notNull(),
  budget_number: text().notNull(),
  invoice_id: uuid(),
  invoice_number: text(),
  patient_id: uuid().notNull(),
  /** Of the budget, for messages. */
  locale: text().notNull(),
  currency: text().notNull(),
  /** In minor units. */
  amount: minor('amount').notNull(),
  refunded: minor('refunded').notNull().default(sql`0`),
  due_on: date({ mode: 'string' }).notNull(),
  /** What the patient writes in a transfer, and the staff finds in the bank's statement. */
  reference: text().notNull(),
  state: text().$type<RequestState>().notNull().default('open'),
  attention: text().array().$type<Attention[]>().notNull().default(sql`'{}'`),
  /** A keyed hash of the link's token, and the token itself sealed, to mail the link again. */
  token_mac: bytea('token_mac').notNull(),
  token_sealed: text().notNull(),
  created_at: instant('created_at').notNull().defaultNow(),
  created_by: uuid(),
  paid_at: instant('paid_at'),
  paid_by_attempt: uuid(),
  method: text().$type<Method>(),
  /** When it was paid, cancelled or refunded. */
  ended_at: instant('ended_at'),
  cancelled_at: instant('cancelled_at'),
  cancelled_by: uuid(),
  cancel_reason: text(),
  mailed_at: instant('mailed_at'),
  mail_error: text()
}, t => [
  // Finds the request if the event is delivered twice.
  uniqueIndex('payments_request_deposit').on(t.clinic_id, t.budget_id).where(sql`kind = 'deposit'`),
  unique('payments_request_reference').on(t.clinic_id, t.reference),
  unique('payments_request_token').on(t.token_mac),
  index('payments_request_list').on(t.clinic_id, t.created_at.desc(), t.id.desc()),
  index('payments_request_due').on(t.clinic_id, t.due_on, t.id),
  index('payments_request_amount').on(t.clinic_id, t.amount, t.id),
  index('payments_request_attention').on(t.clinic_id, t.created_at.desc(), t.id.desc()).where(sql`attention <> '{}'`),
  index('payments_request_patient').on(t.clinic_id, t.patient_id),
  index('payments_request_budget').on(t.clinic_id, t.budget_number),
  index('payments_request_invoice').on(t.clinic_id, t.invoice_id).where(sql`invoice_id is not null`),
  check('payments_request_kind_known', sql`kind in ('deposit','invoice') and (kind = 'invoice') = (invoice_id is not null)`),
  check('payments_request_state_known', sql`state in ('open','pending','paid','failed','cancelled','refunded')`),
  check('payments_request_paid', sql`state not in ('paid','refunded') or (paid_at is not null and paid_by_attempt is not null)`),
  check('payments_request_money', sql`amount > 0 and refunded >= 0 and refunded <= amount`)
])

/** One way to the provider's page, or one payment that the staff recorded. Its id is the idempotency key. */
export const attempt = pgTable('payments_attempt', {
  id: uuid().primaryKey().defaultRandom(),
  request_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  provider: text().$type<ProviderName | 'manual'>().notNull(),
  mode: text().$type<Mode>().notNull(),
  state: text().$type<AttemptState>().notNull().default('open'),
  attention: text().$type<Attention>(),
  amount: minor('amount').notNull(),
  currency: text().notNull(),
  /** The provider's name for the checkout; null until it has answered. */
  ref: text(),
  payment_ref: text(),
  method: text().$type<Method>(),
  paid_amount: minor('paid_amount'),
  paid_currency: text(),
  paid_at: instant('paid_at'),
  /** Where the patient came from, sealed, because it has the token of a link. */
  return_to: text(),
  created_at: instant('created_at').notNull().defaultNow(),
  created_by: uuid(),
  checked_at: instant('checked_at'),
  checks: integer().notNull().default(0),
  /** When the provider is asked again; null if it isn't. */
  next_check_at: instant('next_check_at'),
  /** Since when the provider has given no usable answer. */
  unreachable_since: instant('unreachable_since'),
  /** When billing recorded the advance, whose id is the attempt's. */
  recorded_at: instant('recorded_at')
}, t => [
  uniqueIndex('payments_attempt_ref').on(t.clinic_id, t.provider, t.mode, t.ref).where(sql`ref is not null`),
  index('payments_attempt_request').on(t.request_id, t.created_at),
  index('payments_attempt_next').on(t.next_check_at).where(sql`next_check_at is not null`),
  index('payments_attempt_unrecorded').on(t.paid_at).where(sql`state = 'paid' and recorded_at is null`),
  check('payments_attempt_provider_known', sql`provider in ('transfer','stripe','mollie','redsys','manual')`),
  check('payments_attempt_state_known', sql`state in ('open','pending','paid','failed','cancelled','mismatch')`),
  check('payments_attempt_money', sql`amount > 0 and (state not in ('paid','mismatch') or paid_amount is not null)`),
  foreignKey({ name: 'payments_attempt_request_known', columns: [t.request_id], foreignColumns: [request.id] })
])

/** Its id is the idempotency key, and that of the return in billing. */
export const refund = pgTable('payments_refund', {
  id: uuid().primaryKey().defaultRandom(),
  attempt_id: uuid().notNull(),
  request_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  amount: minor('amount').notNull(),
  state: text().$type<RefundState>().notNull().default('open'),
  /** Null after the patient's data was erased. */
  reason: text(),
  detail: text(),
  refund_ref: text(),
  created_at: instant('created_at').notNull().defaultNow(),
  created_by: uuid(),
  /** When the provider is asked again, after a call without an answer. */
  next_check_at: instant('next_check_at'),
  done_at: instant('done_at'),
  /** When billing recorded the return. */
  recorded_at: instant('recorded_at')
}, t => [
  index('payments_refund_attempt').on(t.attempt_id),
  index('payments_refund_request').on(t.request_id, t.created_at),
  index('payments_refund_next').on(t.next_check_at).where(sql`next_check_at is not null`),
  check('payments_refund_state_known', sql`state in ('open','pending','done','refused')`),
  check('payments_refund_amount', sql`amount > 0`),
  foreignKey({ name: 'payments_refund_attempt_known', columns: [t.attempt_id], foreignColumns: [attempt.id] }),
  foreignKey({ name: 'payments_refund_request_known', columns: [t.request_id], foreignColumns: [request.id] })
])
