import { day, decimal, paging } from '@svc/kit/schemas'
import { multiLine, visible } from '@svc/kit/text'
import * as z from 'zod'
import { INVOICE_STATUSES, PAYMENT_METHODS } from './domain/invoice-state.ts'

export { INVOICE_STATUSES, PAYMENT_METHODS }
export type { PaymentMethod } from './domain/invoice-state.ts'

const Id = z.guid('Must be an id (UUID).').toLowerCase()
/** Decimal text with the digits of the currency. */
const Money = z.string()
const Instant = z.iso.datetime()
const Status = z.enum(INVOICE_STATUSES)
const Method = z.enum(PAYMENT_METHODS)
const Person = z.object({ id: Id, name: z.string() })

// ---------------------------------------------------------------- requests

const plainText = (max: number) => z.string().max(max).check(multiLine).trim().check(visible)
/** A form sends the empty text for what was left empty. */
const orNothing = (text: z.ZodType<string, string>) =>
  z
    .string()
    .transform(value => (value.trim() === '' ? null : value))
    .pipe(text.nullable())
    .nullish()

const SORT_KEYS = ['created_at', 'number', 'issued_at', 'total'] as const

export const InvoiceQuery = z.strictObject({
  status: z.array(Status).max(INVOICE_STATUSES.length).optional(),
  patient_id: Id.optional(),
  budget_id: Id.optional(),
  /** Words of the number, the budget's number or the patient's name, in any order; beginnings of words are enough. */
  search: orNothing(plainText(200)),
  /** Drafts come last by `number` and `issued_at`, which are one order: numbers are given in the order of time. */
  sort: z.enum([...SORT_KEYS, ...SORT_KEYS.map(key => `-${key}` as const)]).default('-created_at'),
  ...paging
})

export const InvoiceExportQuery = InvoiceQuery.omit({ page: true, page_size: true })
export const PaymentExportQuery = InvoiceExportQuery.omit({ sort: true })

export const PaymentRequest = z.strictObject({
  /** In the currency of the invoice: `"60.00"`; at most what is due. */
  amount: decimal(/^\d{1,15}(\.\d{1,4})?$/, 'Must be a decimal text such as "60.00".'),
  method: Method,
  /** Now, when left out; not after today in the clinic's zone. */
  paid_at: z.iso.datetime({ offset: true }).regex(/^[12]/, 'Must be a time of the years 1000 to 2999.').nullish(),
  note: orNothing(plainText(500)),
  /** Made by the caller, a new one for each payment: sent twice, it is recorded once. */
  payment_id: Id.optional()
})

export const IssueRequest = z.strictObject({
  /** The last day to pay, not before today in the clinic's zone. Left out: as the clinic's settings say; null: none. */
  due_on: day().regex(/^[12]/, 'Must be a day of the years 1000 to 2999.').nullish()
})

export const ReversePaymentRequest = z.strictObject({ reason: plainText(500) })

export const CancelInvoiceRequest = z.strictObject({ reason: plainText(2000) })

/** The reader's language, the invoice's own when left out. */
export const InvoicePdfQuery = z.strictObject({ locale: z.enum(['en', 'es', 'fr', 'de', 'pt', 'ar']).optional() })

// ---------------------------------------------------------------- answers

export const InvoiceRow = z.object({
  id: Id,
  /** `INV-2026-0001`; null until it is issued. A cancelled invoice keeps it. */
  number: z.string().nullable(),
  status: Status,
  budget: z.object({ id: Id, number: z.string(), version: z.int() }),
  patient: z.object({ id: Id, first_name: z.string(), last_name: z.string() }),
  currency: z.string(),
  /** Tax included; `tax` is what it holds of tax, `paid` what was paid and not reversed, `due` the rest. */
  total: Money,
  tax: Money,
  paid: Money,
  due: Money,
  created_at: Instant,
  updated_at: Instant,
  issued_at: Instant.nullable(),
  /** The last day to pay; null before it is issued, or when none was set. */
  due_on: z.iso.date().nullable(),
  cancelled_at: Instant.nullable()
})

export const InvoicePayment = z.object({
  id: Id,
  amount: Money,
  method: Method,
  paid_at: Instant,
  note: z.string().nullable(),
  created_at: Instant,
  created_by: Person.nullable(),
  /** Set once the payment counts no more; `reason` is null after the patient's data was erased. */
  reversal: z.object({
    reason: z.string().nullable(),
    reversed_at: Instant,
    reversed_by: Person.nullable()
  }).nullable()
})

export const Invoice = InvoiceRow.extend({
  locale: z.string(),
  /** The day of issue in the clinic's zone: the date on the document. */
  issued_on: z.iso.date().nullable(),
  issued_by: Person.nullable(),
  /** Issued by a clinic without a tax number; of a draft: would be now. */
  pro_forma: z.boolean(),
  cancelled_by: Person.nullable(),
  cancel_reason: z.string().nullable(),
  items: z.array(z.object({
    id: Id,
    treatment_id: Id,
    code: z.string(),
    name: z.record(z.string(), z.string()),
    quantity: z.int(),
    vat: z.string(),
    price: Money,
    tax: Money
  })),
  /** Per rate, the lowest first: `gross` = `net` + `tax`; the grosses add up to the total. */
  taxes: z.array(z.object({ vat: z.string(), net: Money, tax: Money, gross: Money })),
  /** The first one first. */
  payments: z.array(InvoicePayment)
})

export type InvoiceQuery = z.infer<typeof InvoiceQuery>
export type InvoiceSort = InvoiceQuery['sort']
export type InvoiceExportQuery = z.infer<typeof InvoiceExportQuery>
export type PaymentExportQuery = z.infer<typeof PaymentExportQuery>
export type PaymentRequest = z.infer<typeof PaymentRequest>
export type IssueRequest = z.infer<typeof IssueRequest>
export type ReversePaymentRequest = z.infer<typeof ReversePaymentRequest>
export type CancelInvoiceRequest = z.infer<typeof CancelInvoiceRequest>
export type InvoiceRow = z.infer<typeof InvoiceRow>
export type Invoice = z.infer<typeof Invoice>
