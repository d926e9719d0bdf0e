import type { Ctx } from '@svc/kit'
import { sumByMonth } from './db/months.ts'

/** `amount` in minor units of the clinic's currency, tax included. */
export interface InvoicedMonth { month: string, count: number, amount: bigint }

/** What `ctx.use<Billing>('billing')` gives. */
export interface Billing {
  /** Drafts, issued and paid invoices by month (`YYYY-MM`); days are inclusive, in the given zone. Months without any are left out. */
  invoicedByMonth(about: { clinic_id: string, from: string, to: string, time_zone: string }): Promise<InvoicedMonth[]>
}

export const createExports = (ctx: Ctx): Billing => ({
  invoicedByMonth: about => sumByMonth(ctx.db, about)
})
