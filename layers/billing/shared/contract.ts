import { z } from 'zod'
import { INVOICE_STATUSES } from '../server/domain/invoice-status.ts'

const Id = z.guid('Must be an id (UUID).').toLowerCase()
/** Decimal text with the digits of the currency. */
const Money = z.string()
const Instant = z.iso.datetime()
const Status = z.enum(INVOICE_STATUSES)

export const InvoiceQuery = z.strictObject({
  status: z.array(Status).max(INVOICE_STATUSES.length).optional(),
  patient_id: Id.optional(),
  budget_id: Id.optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20)
})

export const InvoiceRow = z.object({
  id: Id,
  /** Null until it is issued. */
  number: z.string().nullable(),
  status: Status,
  budget: z.object({ id: Id, number: z.string(), version: z.int() }),
  patient: z.object({ id: Id, first_name: z.string(), last_name: z.string() }),
  currency: z.string(),
  /** Tax included; `tax` is what it holds of tax, `paid` the sum of the payments. */
  total: Money,
  tax: Money,
  paid: Money,
  created_at: Instant,
  updated_at: Instant,
  issued_at: Instant.nullable(),
  cancelled_at: Instant.nullable()
})

export const Invoice = InvoiceRow.extend({
  locale: z.string(),
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
  }))
})

export type InvoiceQuery = z.infer<typeof InvoiceQuery>
export type InvoiceRow = z.infer<typeof InvoiceRow>
export type Invoice = z.infer<typeof Invoice>
