import type { Ctx } from '@svc/kit'
import { sumByMonth } from './db/months.ts'

/**
 * `count` and `amount` (minor units of the clinic's currency, tax included) of what was issued; `drafts` are not
 * invoices yet.
 */
export interface InvoicedMonth { month: string, count: number, amount: bigint, drafts: number }

/** What `ctx.use<Billing>('billing')` gives. */
export interface Billing {
  /**
   * Issued and paid invoices by the month of issue (`YYYY-MM`), and drafts by the month in which they were made; days
   * are inclusive, in the given zone. Months without any are left out.
   */
  invoicedByMonth(about: { clinic_id: string, from: string, to: string, time_zone: string }): Promise<InvoicedMonth[]>
}

export const createExports = (ctx: Ctx): Billing => ({
  invoicedByMonth: about => sumByMonth(ctx.db, about)
})
