import { and, eq, gt, sql, type SQL } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { AdvanceMonth, BillingPeriod, InvoicedMonth } from '@svc/kit/modules/billing'
import { advance, invoice, signedTotal } from './schema.ts'

/**
 * Invoices that are not cancelled, by the month of issue in the zone, or the month of creation for drafts. Only issued
 * invoices are counted; drafts are counted separately. Issued credit notes are not counted, and their amounts are taken
 * off in their own month. Days are inclusive.
 */
export async function sumByMonth(
  db: Db,
  { clinic_id, from, to, time_zone }: BillingPeriod
): Promise<InvoicedMonth[]> {
  const issued = sql`filter (where ${invoice.status} <> 'draft')`
  const counted = (status: SQL) => sql`count(*) filter (where ${status} and ${invoice.kind} = 'invoice')::int`
  const at = sql`coalesce(${invoice.issued_at}, ${invoice.created_at})`
  const day = sql`(${at} at time zone ${time_zone})::date`
  const rows = await db
    .select({
      month: sql<string>`to_char(${day}, 'YYYY-MM')`,
      count: sql<number>`${counted(sql`${invoice.status} <> 'draft'`)}`,
      amount: sql<string>`coalesce(sum(${signedTotal}) ${issued}, 0)::text`,
      drafts: sql<number>`${counted(sql`${invoice.status} = 'draft'`)}`
    })
    .from(invoice)
    .where(
      and(
        eq(invoice.clinic_id, clinic_id),
        sql`${invoice.status} <> 'cancelled'`,
        // Written like the index, and wide enough for every zone. The days select the rows.
        sql`${at} >= (${from}::date - 2)::timestamp at time zone 'UTC'`,
        sql`${at} < (${to}::date + 3)::timestamp at time zone 'UTC'`,
        sql`${day} between ${from}::date and ${to}::date`
      )
    )
    .groupBy(sql`1`)
    .orderBy(sql`1`)
  return rows.map(row => ({ ...row, amount: BigInt(row.amount) }))
}

/**
 * Advances by the month of payment in the zone, without the returned amounts. Advances that were returned completely
 * don't count. `balance` is the amount that is not applied to an invoice now. Days are inclusive.
 */
export async function sumAdvancesByMonth(
  db: Db,
  { clinic_id, from, to, time_zone }: BillingPeriod
): Promise<AdvanceMonth[]> {
  const { amount, returned, balance, paid_at } = advance
  const day = sql`(${paid_at} at time zone ${time_zone})::date`
  const rows = await db
    .select({
      month: sql<string>`to_char(${day}, 'YYYY-MM')`,
      count: sql<number>`count(*)::int`,
      amount: sql<string>`sum(${amount} - ${returned})::text`,
      balance: sql<string>`sum(${balance})::text`
    })
    .from(advance)
    .where(
      and(
        eq(advance.clinic_id, clinic_id),
        gt(amount, returned),
        // Wide enough for every zone. The days select the rows.
        sql`${paid_at} >= (${from}::date - 2)::timestamp at time zone 'UTC'`,
        sql`${paid_at} < (${to}::date + 3)::timestamp at time zone 'UTC'`,
        sql`${day} between ${from}::date and ${to}::date`
      )
    )
    .groupBy(sql`1`)
    .orderBy(sql`1`)
  return rows.map(row => ({ ...row, amount: BigInt(row.amount), balance: BigInt(row.balance) }))
}
