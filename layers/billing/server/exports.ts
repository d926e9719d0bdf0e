import type { Ctx, Tx } from '@svc/kit'
import type { AdvanceRow } from './db/advances.ts'
import { sumAdvancesByMonth, sumByMonth } from './db/months.ts'
import { giveBack, type NewReturn } from './services/advances/give-back.ts'
import { recordAdvance, type NewAdvance } from './services/advances/record-advance.ts'
import { appliedOf } from '../shared/domain/advances.ts'

export type { NewAdvance, NewReturn }
/** `applied` to an invoice that was issued already, and the `balance`; minor units. `number`: of the receipt. */
export interface RecordedAdvance { id: string, number: string, applied: bigint, balance: bigint }

/**
 * `count` and `amount` (minor units of the clinic's currency, tax included) of what was issued; `drafts` are not
 * invoices yet.
 */
export interface InvoicedMonth { month: string, count: number, amount: bigint, drafts: number }

/**
 * `count` and `amount` of the advances that were paid in a month, without what was returned; `balance` is what of it no
 * invoice has taken yet.
 */
export interface AdvanceMonth { month: string, count: number, amount: bigint, balance: bigint }

/** What `ctx.use<Billing>('billing')` gives. */
export interface Billing {
  /**
   * Issued and paid invoices by the month of issue (`YYYY-MM`), and drafts by the month in which they were made; days
   * are inclusive, in the given zone. Months without any are left out.
   */
  invoicedByMonth(about: { clinic_id: string, from: string, to: string, time_zone: string }): Promise<InvoicedMonth[]>
  /** Advances by the month of payment; the same period. An applied one is in an invoice too. */
  advancesByMonth(about: { clinic_id: string, from: string, to: string, time_zone: string }): Promise<AdvanceMonth[]>
  /**
   * Records money that came before its invoice. It is never refused for the budget's state: a withdrawn budget is
   * put on the attention list. If the invoice is issued already, it is paid as far as it is due. Pass an `advance_id`,
   * so that a repeated call records one advance. Throws `not_found`, `wrong_state` for a draft, `advance_id_used`. Call
   * it late in the transaction: others wait for the number of the receipt until it ends.
   */
  recordAdvance(tx: Tx, advance: NewAdvance): Promise<RecordedAdvance>
  /**
   * Records that money of an advance went back, whole or in part, once for a `reversal_id`. If an invoice has taken it,
   * the invoice is due again. Throws `not_found`, and `over_advance` for more than was not returned before.
   */
  returnAdvance(tx: Tx, about: NewReturn): Promise<RecordedAdvance>
}

export const createExports = (ctx: Ctx): Billing => ({
  invoicedByMonth: about => sumByMonth(ctx.db, about),
  advancesByMonth: about => sumAdvancesByMonth(ctx.db, about),
  recordAdvance: async (tx, advance) => toRecorded((await recordAdvance(ctx, tx, advance)).advance),
  returnAdvance: async (tx, about) => toRecorded(await giveBack(ctx, tx, about))
})

const toRecorded = (row: AdvanceRow): RecordedAdvance =>
  ({ id: row.id, number: row.number, applied: appliedOf(row), balance: row.balance })
