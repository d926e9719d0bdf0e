import { day, decimal, LANGUAGES, line, paging, search, text } from '@svc/kit/schemas'
import { visible } from '@svc/kit/text'
import * as z from 'zod'
import { ATTEMPT_STATES, ATTENTION, REFUND_STATES, REQUEST_STATES } from './domain/request-state.ts'
import { PROVIDERS } from './settings.ts'

export { ATTEMPT_STATES, ATTENTION, REFUND_STATES, REQUEST_STATES }

const Id = z.guid('Must be an id (UUID).').toLowerCase()
/** Decimal text with the digits of the currency. */
const Money = z.string()
const Instant = z.iso.datetime()
const Day = z.iso.date()
const Person = z.object({ id: Id, name: z.string() })
const Amount = decimal(/^\d{1,15}(\.\d{1,4})?$/, 'Must be a decimal text such as "60.00".')
const DueDay = day().regex(/^[12]/, 'Must be a day of the years 1000 to 2999.')
const Reason = text(500).check(visible)
const Provider = z.enum(PROVIDERS)
const Method = z.enum(['card', 'transfer', 'cash', 'other'])

/** `deposit`: of an accepted budget. `invoice`: an issued invoice. */
export const KINDS = ['deposit', 'invoice'] as const
const Kind = z.enum(KINDS)
const State = z.enum(REQUEST_STATES)

// ---------------------------------------------------------------- requests of the staff

/** `GET /api/v1/payments/requests` */
export const RequestQuery = z.strictObject({
  state: z.array(State).max(REQUEST_STATES.length).optional(),
  kind: Kind.optional(),
  /** Only those that need attention. */
  attention: z.enum(['true', 'false']).transform(value => value === 'true').optional(),
  patient_id: Id.optional(),
  /** Of all versions of this budget. */
  budget_id: Id.optional(),
  invoice_id: Id.optional(),
  /** The beginning of the number of the budget or invoice, or of the reference. */
  search,
  sort: z.enum(['created_at', '-created_at', 'due_on', '-due_on', 'amount', '-amount']).default('-created_at'),
  ...paging
})

/** `POST /api/v1/payments/requests`: “Request payment” on an issued invoice. */
export const NewRequest = z.strictObject({
  invoice_id: Id,
  /** At most what is due, which is the default. */
  amount: Amount.optional(),
  /** The default is by the clinic's setting `due_days`. */
  due_on: DueDay.optional(),
  /** Whether the patient gets the link by email. */
  send: z.boolean().default(true),
  /** An id that the caller creates, so that a request that is sent twice makes one. */
  request_id: Id.optional()
})

/** `POST /api/v1/payments/requests/{id}/cancel` */
export const CancelRequest = z.strictObject({ reason: Reason })

/** `POST /api/v1/payments/requests/{id}/paid`: “Mark as paid”. */
export const MarkPaidRequest = z.strictObject({
  method: z.enum(['transfer', 'cash']),
  /** The default is now. Not in the future. */
  paid_at: z.iso.datetime({ offset: true }).regex(/^[12]/, 'Must be a time of the years 1000 to 2999.').optional(),
  /** Of the bank's statement. */
  reference: line(200).optional(),
  /** Also if the request is paid or cancelled already: the payment is recorded, and needs attention. */
  again: z.boolean().default(false),
  /** An id that the caller creates, so that a request that is sent twice records one payment. */
  payment_id: Id.optional()
})

/** `POST /api/v1/payments/requests/{id}/refund` */
export const RefundRequest = z.strictObject({
  /** The attempt whose money goes back. The default is the one that paid the request. */
  attempt_id: Id.optional(),
  /** At most what the attempt has left, which is the default. */
  amount: Amount.optional(),
  reason: Reason,
  /** An id that the caller creates, so that a request that is sent twice refunds once. */
  refund_id: Id.optional()
})

/** `POST /api/v1/payments/requests/{id}/attention/clear` */
export const ClearRequest = z.strictObject({
  /** Those that the member has seen: one that came meanwhile stays. */
  reasons: z.array(z.enum(ATTENTION)).min(1).max(ATTENTION.length)
})

// ---------------------------------------------------------------- answers to the staff

export const RequestRow = z.object({
  id: Id,
  kind: Kind,
  state: State,
  budget: z.object({ id: Id, number: z.string() }),
  invoice: z.object({ id: Id, number: z.string() }).nullable(),
  /** Names are empty after the patient's data was erased. */
  patient: z.object({ id: Id, first_name: z.string(), last_name: z.string() }),
  currency: z.string(),
  amount: Money,
  /** The part of it that was paid back. */
  refunded: Money,
  due_on: Day,
  /** What the patient writes in a transfer. */
  reference: z.string(),
  /** How it was paid. */
  method: Method.nullable(),
  created_at: Instant,
  paid_at: Instant.nullable(),
  attention: z.array(z.enum(ATTENTION))
})

export const Attempt = z.object({
  id: Id,
  /** `manual`: recorded by the staff. */
  provider: z.enum([...PROVIDERS, 'manual']),
  mode: z.enum(['test', 'live']),
  state: z.enum(ATTEMPT_STATES),
  attention: z.enum(ATTENTION).nullable(),
  amount: Money,
  /** What the provider took, in `paid_currency`. Null while nothing was paid. */
  paid_amount: Money.nullable(),
  paid_currency: z.string().nullable(),
  /** What can still be paid back, of `paid_amount`. */
  refundable: Money,
  method: Method.nullable(),
  /** The provider's names for the checkout and the payment. */
  ref: z.string().nullable(),
  payment_ref: z.string().nullable(),
  created_at: Instant,
  paid_at: Instant.nullable(),
  /** When the provider was last asked. */
  checked_at: Instant.nullable()
})

export const Refund = z.object({
  id: Id,
  attempt_id: Id,
  amount: Money,
  state: z.enum(REFUND_STATES),
  /** Null after the patient's data was erased. */
  reason: z.string().nullable(),
  /** What the provider says of a refusal. */
  detail: z.string().nullable(),
  created_at: Instant,
  created_by: Person.nullable(),
  done_at: Instant.nullable()
})

export const PaymentRequest = RequestRow.extend({
  /** Null for a deposit. */
  created_by: Person.nullable(),
  cancelled_at: Instant.nullable(),
  cancelled_by: Person.nullable(),
  /** `withdrawn`, `budget_cancelled` or `settled` if no member cancelled it; otherwise the member's text. */
  cancel_reason: z.string().nullable(),
  /** When the link was last queued to be mailed. */
  mailed_at: Instant.nullable(),
  /** Why it was not mailed: `no_address`. */
  mail_error: z.string().nullable(),
  /** Oldest first. */
  attempts: z.array(Attempt),
  refunds: z.array(Refund)
})

/** `GET /api/v1/payments/attention` */
export const AttentionAnswer = z.object({ total: z.int(), requests: z.array(RequestRow) })

/** `POST /api/v1/payments/test`: “Test the connection”, with the saved settings. */
export const TestAnswer = z.object({
  provider: Provider,
  mode: z.enum(['test', 'live']),
  ok: z.boolean(),
  code: z.enum(['ok', 'missing', 'no_key', 'wrong_key', 'unreachable', 'refused']),
  /** The settings that are missing. */
  missing: z.array(z.string()),
  /** What the provider says. */
  detail: z.string().nullable(),
  /** Where the provider has to report payments; null for transfers. */
  webhook_url: z.string().nullable()
})

// ---------------------------------------------------------------- the patient

/** `locale`: the reader's language, in which the next pages continue. */
export const PayQuery = z.strictObject({ locale: z.enum(LANGUAGES).optional() })

/** `GET /api/v1/public/payments/pay/{token}`: what `/pay/{token}` shows. */
export const PayView = z.object({
  clinic: z.object({ name: z.string(), locale: z.string() }),
  kind: Kind,
  /** Of the budget or the invoice. */
  number: z.string(),
  amount: Money,
  currency: z.string(),
  due_on: Day,
  state: State,
  /**
   * How it can be paid now. Null: it can't. `checkout`: by a form that posts to
   * `/api/v1/public/payments/pay/{token}/checkout` without fields; the answer leads to the provider's page.
   */
  pay_by: z.enum(['transfer', 'checkout']).nullable(),
  /** Only with `pay_by: 'transfer'`. `qr`: address of the EPC QR code as a picture (SVG); null outside the euro. */
  transfer: z.object({
    iban: z.string(),
    creditor: z.string(),
    bic: z.string().nullable(),
    reference: z.string(),
    qr: z.string().nullable()
  }).nullable()
})

export type RequestQuery = z.infer<typeof RequestQuery>
export type RequestSort = RequestQuery['sort']
export type NewRequest = z.infer<typeof NewRequest>
export type CancelRequest = z.infer<typeof CancelRequest>
export type MarkPaidRequest = z.infer<typeof MarkPaidRequest>
export type RefundRequest = z.infer<typeof RefundRequest>
export type ClearRequest = z.infer<typeof ClearRequest>
export type RequestRow = z.infer<typeof RequestRow>
export type Attempt = z.infer<typeof Attempt>
export type Refund = z.infer<typeof Refund>
export type PaymentRequest = z.infer<typeof PaymentRequest>
export type AttentionAnswer = z.infer<typeof AttentionAnswer>
export type TestAnswer = z.infer<typeof TestAnswer>
export type PayView = z.infer<typeof PayView>
