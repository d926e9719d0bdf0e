import * as z from 'zod'
import { Id, Money } from './schemas.ts'

/**
 * What is invoiced of an accepted budget, and what is open. `total` is the sum of `invoiced`, `open` and `cancelled`.
 * All is zero before the acceptance.
 */
export const BudgetBilling = z.object({
  budget_id: Id,
  currency: z.string(),
  /** What the patient accepted, with tax. */
  total: Money,
  /** On issued invoices, without what was cancelled. `credited` is the part that credit notes took off them. */
  invoiced: Money,
  credited: Money,
  /** In drafts, or not drafted yet. */
  open: Money,
  /** In cancelled drafts, and in invoices that an earlier version cancelled. */
  cancelled: Money,
  /** Done lines that are in drafts, also in those that `invoice-done` made before. */
  done: z.object({ items: z.int(), amount: Money }),
  /** The accepted lines, in order. */
  items: z.array(z.object({
    budget_item_id: Id,
    price: Money,
    invoiced: Money,
    open: Money,
    cancelled: Money,
    done_on: z.iso.date().nullable()
  }))
})
export type BudgetBilling = z.infer<typeof BudgetBilling>
