import * as z from 'zod'

/** Settings that each clinic has of this module. */
export const BillingSettings = z.object({
  /** Days from the issue of an invoice to its due date; null if not set. */
  payment_days: z.int().min(0).max(365).nullable()
})
export type BillingSettings = z.infer<typeof BillingSettings>
