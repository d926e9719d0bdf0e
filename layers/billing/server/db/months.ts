import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { invoice } from './schema.ts'

interface Period { clinic_id: string, from: string, to: string, time_zone: string }

/** Invoices that stand, by the month in the zone in which they were issued, or drafted as long as they are drafts. Days are inclusive. */
export async function sumByMonth(db: Db, { clinic_id, from, to, time_zone }: Period): Promise<{ month: string, count: number, amount: bigint }[]> {
  const day = sql`(coalesce(${invoice.issued_at}, ${invoice.created_at}) at time zone ${time_zone})::date`
  const rows = await db
    .select({ month: sql<string>`to_char(${day}, 'YYYY-MM')`, count: sql<number>`count(*)::int`, amount: sql<string>`sum(${invoice.total})::text` })
    .from(invoice)
    .where(and(eq(invoice.clinic_id, clinic_id), sql`${invoice.status} <> 'cancelled'`, sql`${day} between ${from}::date and ${to}::date`))
    .groupBy(sql`1`).orderBy(sql`1`)
  return rows.map(row => ({ ...row, amount: BigInt(row.amount) }))
}
