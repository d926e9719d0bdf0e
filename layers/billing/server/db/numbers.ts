import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import { invoiceNumber } from './schema.ts'

/**
 * The next number of a clinic's year: `INV-2026-0001`, and the instant at which it was given. The row stays locked
 * until the transaction ends, so parallel issuings wait for one another, and one that fails gives its number back: no
 * gap and no double. Take it last. The instant is the transaction's, or that of the number before where that one is
 * later.
 */
export async function takeNumber(
  tx: Tx,
  { clinic_id, year }: { clinic_id: string, year: number }
): Promise<{ number: string, issued_at: Date }> {
  const [row] = await tx
    .insert(invoiceNumber)
    .values({ clinic_id, year, last: 1, last_at: sql`now()` })
    .onConflictDoUpdate({
      target: [invoiceNumber.clinic_id, invoiceNumber.year],
      set: { last: sql`${invoiceNumber.last} + 1`, last_at: sql`greatest(${invoiceNumber.last_at}, excluded.last_at)` }
    })
    .returning({ last: invoiceNumber.last, last_at: invoiceNumber.last_at })
  return { number: `INV-${year}-${String(row!.last).padStart(4, '0')}`, issued_at: row!.last_at }
}
