import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import { creditNumber, invoiceNumber, proFormaNumber, receiptNumber } from './schema.ts'

const RANGES = { INV: invoiceNumber, CN: creditNumber, PF: proFormaNumber, REC: receiptNumber }

/**
 * The next number of a clinic's year, `INV-2026-0001` for an invoice, `CN-2026-0001` for a credit note,
 * `PF-2026-0001` for a pro forma and `REC-2026-0001` for a receipt, and the time at which it was issued. The row stays
 * locked until the transaction ends, so parallel transactions wait for one another, and a rollback releases the number:
 * there are neither gaps nor duplicates. Call it as late as possible. The time is the transaction's, or the previous
 * number's if that is later.
 */
export async function takeNumber(
  tx: Tx,
  { clinic_id, year, range = 'INV' }: { clinic_id: string, year: number, range?: keyof typeof RANGES }
): Promise<{ number: string, issued_at: Date }> {
  const numbers = RANGES[range]
  const [row] = await tx
    .insert(numbers)
    .values({ clinic_id, year, last: 1, last_at: sql`now()` })
    .onConflictDoUpdate({
      target: [numbers.clinic_id, numbers.year],
      set: { last: sql`${numbers.last} + 1`, last_at: sql`greatest(${numbers.last_at}, excluded.last_at)` }
    })
    .returning({ last: numbers.last, last_at: numbers.last_at })
  return { number: `${range}-${year}-${String(row!.last).padStart(4, '0')}`, issued_at: row!.last_at }
}
