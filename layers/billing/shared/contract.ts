import { paging } from '@svc/kit/schemas'
import * as z from 'zod'
import { DOCUMENT_TITLES, PRO_FORMA_REASONS } from './domain/document-title.ts'
import { DOCUMENT_KINDS, INVOICE_STATUSES, PAYMENT_METHODS } from './domain/invoice-state.ts'
import { Amount, Day, Id, Instant, Method, Money, orNothing, PaidAt, PdfLocale, Person, plainText } from './schemas.ts'

export { INVOICE_STATUSES, PAYMENT_METHODS }
export * from './advance-contract.ts'
export * from './budget-contract.ts'
export type { PaymentMethod } from './domain/invoice-state.ts'

const Status = z.enum(INVOICE_STATUSES)

// ---------------------------------------------------------------- requests

const SORT_KEYS = ['created_at', 'number', 'issued_at', 'total'] as const

export const InvoiceQuery = z.strictObject({
  status: z.array(Status).max(INVOICE_STATUSES.length).optional(),
  patient_id: Id.optional(),
  budget_id: Id.optional(),
  /** Words from the invoice's number, the budget's number or the patient's name, in any order. Prefixes are enough. */
  search: orNothing(plainText(200)),
  /**
   * By `number` or `issued_at`, drafts come last. Both give the same order, because numbers are assigned at the issue.
   */
  sort: z.enum([...SORT_KEYS, ...SORT_KEYS.map(key => `-${key}` as const)]).default('-created_at'),
  ...paging
})

export const InvoiceExportQuery = InvoiceQuery.omit({ page: true, page_size: true })
export const PaymentExportQuery = InvoiceExportQuery.omit({ sort: true })

export const PaymentRequest = z.strictObject({
  /** In the invoice's currency, `"60.00"`; at most the amount due. */
  amount: Amount,
  method: Method,
  /** The default is now. Not after today in the clinic's zone. */
  paid_at: PaidAt,
  note: orNothing(plainText(500)),
  /** An id that the caller creates for each payment, so that a request that is sent twice records one payment. */
  payment_id: Id.optional()
})

export const IssueRequest = z.strictObject({
  /**
   * The last day to pay, not before today in the clinic's zone. If omitted, the clinic's setting applies; null for
   * none.
   */
  due_on: Day.nullish()
})

export const ReversePaymentRequest = z.strictObject({ reason: plainText(500) })

export const CreditRequest = z.strictObject({
  /**
   * The lines of the invoice to credit: a quantity, an amount with tax, or without both all that is left of the line.
   * If omitted, all that is left of the invoice.
   */
  items: z.array(z.strictObject({
    item_id: Id,
    quantity: z.int().min(1).max(1_000_000).optional(),
    amount: Amount.optional()
  })).min(1).max(200).refine(
    items => new Set(items.map(({ item_id }) => item_id)).size === items.length, 'Name each line once.'
  ).optional(),
  reason: plainText(500)
})

export const SplitRequest = z.strictObject({
  /** The lines that move to the new draft: a quantity, or without it the whole line. At least a part of one stays. */
  items: z.array(z.strictObject({
    item_id: Id,
    quantity: z.int().min(1).max(1_000_000).optional()
  })).min(1).max(200).refine(
    items => new Set(items.map(({ item_id }) => item_id)).size === items.length, 'Name each line once.'
  )
})

export const CancelInvoiceRequest = z.strictObject({ reason: plainText(2000) })

/** The reader's language. The default is the invoice's own. */
export const InvoicePdfQuery = z.strictObject({ locale: PdfLocale.optional() })

// ---------------------------------------------------------------- answers

export const InvoiceRow = z.object({
  id: Id,
  /** A credit note takes its total off an invoice. In lists and exports its amounts are negative. */
  kind: z.enum(DOCUMENT_KINDS),
  /** The invoice that a credit note corrects; null for an invoice. */
  credits: z.object({ id: Id, number: z.string(), issued_on: z.iso.date() }).nullable(),
  /**
   * `INV-2026-0001`, `CN-2026-0001` for a credit note, `PF-2026-0001` for a pro forma; null until the issue. A
   * cancelled invoice keeps its number.
   */
  number: z.string().nullable(),
  status: Status,
  /** What the document is titled; null until the issue. */
  title: z.enum(DOCUMENT_TITLES).nullable(),
  budget: z.object({ id: Id, number: z.string(), version: z.int() }),
  patient: z.object({ id: Id, first_name: z.string(), last_name: z.string() }),
  currency: z.string(),
  /**
   * Includes tax. `tax` is the tax in it, `credited` what issued credit notes take off, `paid` the payments that
   * weren't reversed, and `due` the rest.
   */
  total: Money,
  tax: Money,
  credited: Money,
  paid: Money,
  /** The part of `paid` that comes from advances. */
  paid_in_advance: Money,
  due: Money,
  created_at: Instant,
  updated_at: Instant,
  issued_at: Instant.nullable(),
  /** The last day to pay; null before the issue, or if none was set. */
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
  /** The advance that it comes from, with the number of its receipt. A reversal puts the amount back into it. */
  advance: z.object({ id: Id, number: z.string() }).nullable(),
  /** Set for a reversed payment, which no longer counts. `reason` is null after the patient's data was erased. */
  reversal: z.object({
    reason: z.string().nullable(),
    reversed_at: Instant,
    reversed_by: Person.nullable()
  }).nullable()
})

/** The document: the amounts of a credit note are positive here. */
export const Invoice = InvoiceRow.extend({
  /** Of a credit note. Null after the patient's data was erased. */
  credit_reason: z.string().nullable(),
  /** The invoice's credit notes, oldest first, with positive totals. */
  credit_notes: z.array(z.object({
    id: Id,
    number: z.string().nullable(),
    status: Status,
    total: Money,
    issued_on: z.iso.date().nullable()
  })),
  locale: z.string(),
  /** The day of issue in the clinic's zone, which is the date on the document. */
  issued_on: z.iso.date().nullable(),
  issued_by: Person.nullable(),
  /** Whether the document is titled "Pro forma". For a draft: whether it would be now. */
  pro_forma: z.boolean(),
  /** Why. `certified_program` and `verifactu` are rules of the clinic's country. */
  pro_forma_reason: z.enum(PRO_FORMA_REASONS).nullable(),
  cancelled_by: Person.nullable(),
  cancel_reason: z.string().nullable(),
  items: z.array(z.object({
    id: Id,
    /** The line of the budget. Null on credit notes, and on invoices of versions without parts. */
    budget_item_id: Id.nullable(),
    treatment_id: Id,
    code: z.string(),
    name: z.record(z.string(), z.string()),
    /** 0 on a credit note that takes off only an amount. */
    quantity: z.int(),
    vat: z.string(),
    price: Money,
    tax: Money,
    /** What can still be credited. Drafts of credit notes count as credited. */
    left: Money,
    /** The invoice's line that a credit note's line credits. */
    credits_item_id: Id.nullable()
  })),
  /** One entry per rate, lowest first: `gross` = `net` + `tax`, and the sum of `gross` is the total. */
  taxes: z.array(z.object({ vat: z.string(), net: Money, tax: Money, gross: Money })),
  /** Oldest first. */
  payments: z.array(InvoicePayment),
  /**
   * The budget's advances that pay this invoice or have a balance, oldest first. `applied` is what this invoice took of
   * the amount. Issuing the invoice applies balances.
   */
  advances: z.array(z.object({
    id: Id,
    /** Of the receipt. */
    number: z.string(),
    paid_at: Instant,
    method: Method,
    amount: Money,
    applied: Money,
    balance: Money
  }))
})

export type InvoiceQuery = z.infer<typeof InvoiceQuery>
export type InvoiceSort = InvoiceQuery['sort']
export type InvoiceExportQuery = z.infer<typeof InvoiceExportQuery>
export type PaymentExportQuery = z.infer<typeof PaymentExportQuery>
export type PaymentRequest = z.infer<typeof PaymentRequest>
export type IssueRequest = z.infer<typeof IssueRequest>
export type ReversePaymentRequest = z.infer<typeof ReversePaymentRequest>
export type CreditRequest = z.infer<typeof CreditRequest>
export type SplitRequest = z.infer<typeof SplitRequest>
export type CancelInvoiceRequest = z.infer<typeof CancelInvoiceRequest>
export type InvoiceRow = z.infer<typeof InvoiceRow>
export type Invoice = z.infer<typeof Invoice>
