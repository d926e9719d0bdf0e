import * as z from 'zod'
import { TAXPAYERS } from './domain/document-title.ts'

/** Settings that each clinic has of this module. */
export const BillingSettings = z.object({
  /** Days from the issue of an invoice to its due date; null if not set. */
  payment_days: z.int().min(0).max(365).nullable(),
  /** In Spain, a company pays corporation tax (Impuesto sobre Sociedades), and the rules apply to it earlier. */
  taxpayer: z.enum(TAXPAYERS)
})
export type BillingSettings = z.infer<typeof BillingSettings>
