import { bigint, timestamp } from 'drizzle-orm/pg-core'

export const instant = (name: string) => timestamp(name, { withTimezone: true })
export const minor = (name: string) => bigint(name, { mode: 'bigint' })

/** Who issued it, as they were called on that day: a frozen document must not change with the clinic's record. */
export interface Issuer {
  name: string
  address: string | null
  phone: string | null
  email: string | null
  // Absent from what was issued before invoices named them.
  legal_name?: string | null
  tax_number?: string | null
  registration?: string | null
  insurer?: string | null
}
