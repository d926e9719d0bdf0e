import { bigint, timestamp } from 'drizzle-orm/pg-core'

export const instant = (name: string) => timestamp(name, { withTimezone: true })
export const minor = (name: string) => bigint(name, { mode: 'bigint' })

/** The issuer's details on the day of issue: an issued document must not change with the clinic's record. */
export interface Issuer {
  name: string
  address: string | null
  phone: string | null
  email: string | null
  // Missing in documents that were issued before these fields existed.
  legal_name?: string | null
  tax_number?: string | null
  registration?: string | null
  insurer?: string | null
}
