import { day } from '@svc/kit/schemas'
import * as z from 'zod'

const Day = day().regex(/^[12]/, 'Must be a day of the years 1000 to 2999.')
const Month = z.string().regex(/^\d{4}-\d{2}$/)
/** Ten years. */
export const MOST_MONTHS = 120

/** Decimal text with the digits of the currency. */
const Money = z.string()

export const AcceptanceQuery = z.strictObject({ from: Day.optional(), to: Day.optional() })

const Figures = z.object({
  sent: z.int(),
  viewed: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  sent_amount: Money,
  /** Without what was withdrawn. */
  accepted_amount: Money,
  /** Of the accepted ones: taken back again. */
  withdrawn: z.int(),
  withdrawn_amount: Money,
  /** Of budgets with choices: what they would come to with the dearest selection. */
  offered_amount: Money,
  /** Accepted amount of these budgets by their offered amount, 0 to 1; null without any. */
  taken_share: z.number().nullable(),
  /** Invoices issued meanwhile, whichever budget they are of. */
  invoices: z.int(),
  invoiced_amount: Money,
  /** Drafts of invoices, made meanwhile and still drafts. */
  invoice_drafts: z.int(),
  /** From sending to decision; null without a decision. */
  median_hours: z.number().nullable()
})

export const AcceptanceReport = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  currency: z.string(),
  time_zone: z.string(),
  totals: Figures,
  /** Every month of the period, the first one first. */
  months: z.array(Figures.extend({ month: Month })),
  /** Of the rejected ones; null: none was given. Most frequent first. */
  reasons: z.array(z.object({ reason_code: z.string().nullable(), count: z.int() }))
})

export type AcceptanceQuery = z.infer<typeof AcceptanceQuery>
export type AcceptanceReport = z.infer<typeof AcceptanceReport>
