import { day, LANGUAGES } from '@svc/kit/schemas'
import * as z from 'zod'

const Day = day().regex(/^[12]/, 'Must be a day of the years 1000 to 2999.')
const Month = z.string().regex(/^\d{4}-\d{2}$/)
/** Ten years. */
export const MAX_MONTHS = 120

/** Decimal text with the digits of the currency. */
const Money = z.string()

export const AcceptanceQuery = z.strictObject({ from: Day.optional(), to: Day.optional() })

const Figures = z.object({
  sent: z.int(),
  /** Opened by the link, or decided: in the clinic, patients see the budget there. */
  viewed: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  sent_amount: Money,
  /** Without withdrawn acceptances. */
  accepted_amount: Money,
  /** The accepted budgets whose acceptance was withdrawn. */
  withdrawn: z.int(),
  withdrawn_amount: Money,
  /** The amount of budgets with choices if the most expensive options had been selected. */
  offered_amount: Money,
  /** The accepted amount of these budgets divided by their offered amount, from 0 to 1. Null if there are none. */
  taken_share: z.number().nullable(),
  /** Invoices issued in the period, for any budget. */
  invoices: z.int(),
  /** Without what credit notes of the period take off. */
  invoiced_amount: Money,
  /** Draft invoices that were created in the period. */
  invoice_drafts: z.int(),
  /** Advances paid in the period and not returned. What invoices took of them is in `invoiced_amount` too. */
  advances: z.int(),
  advances_amount: Money,
  /** The part that no invoice has taken yet. */
  advances_balance: Money,
  /** From sending to the decision; null if there was no decision. */
  median_hours: z.number().nullable()
})

export const AcceptanceReport = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  currency: z.string(),
  time_zone: z.string(),
  totals: Figures,
  /** Every month of the period, in order. */
  months: z.array(Figures.extend({ month: Month })),
  /** Counts of the rejected budgets' reasons, most frequent first. Null for budgets without a reason. */
  reasons: z.array(z.object({ reason_code: z.string().nullable(), count: z.int() }))
})

/** `locale`: the language in which modules write; by default the clinic's. */
export const SectionsQuery = AcceptanceQuery.extend({ locale: z.enum(LANGUAGES).optional() })

const Section = z.object({
  module: z.string(),
  /** Unique in the module. */
  id: z.string(),
  title: z.string(),
  text: z.string().optional(),
  /** Label and value. */
  facts: z.array(z.tuple([z.string(), z.string()])).optional(),
  table: z.object({
    /** `end`: numbers, aligned at the end of the line. */
    columns: z.array(z.object({ label: z.string(), end: z.boolean() })),
    /** A text for each column. */
    rows: z.array(z.array(z.string())),
    /** How many rows there are beyond those of `rows`. */
    more_rows: z.int()
  }).optional()
})

export const ReportSections = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  sections: z.array(Section),
  /** Modules of which something is missing here, because it failed, was late or broke a rule. */
  left_out: z.array(z.string())
})

export type AcceptanceQuery = z.infer<typeof AcceptanceQuery>
export type AcceptanceReport = z.infer<typeof AcceptanceReport>
export type SectionsQuery = z.infer<typeof SectionsQuery>
export type ReportSection = z.infer<typeof Section>
export type ReportSections = z.infer<typeof ReportSections>
