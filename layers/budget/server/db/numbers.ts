import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import { budgetNumber } from './schema.ts'

/**
 * The next number of a clinic's year: `PRES-2026-0001`. The row stays locked until the transaction ends, so parallel
 * creations wait for one another, and one that fails gives its number back. Take it last.
 */
export async function takeNumber(tx: Tx, { clinic_id, year }: { clinic_id: string, year: number }): Promise<string> {
  const [row] = await tx.insert(budgetNumber).values({ clinic_id, year, last: 1 })
    .onConflictDoUpdate({ target: [budgetNumber.clinic_id, budgetNumber.year], set: { last: sql`${budgetNumber.last} + 1` } })
    .returning({ last: budgetNumber.last })
  return `PRES-${year}-${String(row!.last).padStart(4, '0')}`
}
