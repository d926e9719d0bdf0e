import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { Period, RejectionReason, SentMonth } from '@svc/kit/modules/budget'
import { budget, budgetSignature } from '../schema.ts'

/** A version that was replaced by a revision does not count, because the revision counts instead. */
export async function sumByMonthSent(db: Db, period: Period): Promise<SentMonth[]> {
  const month = sql`to_char(${budget.sent_at} at time zone ${period.time_zone}, 'YYYY-MM')`
  const rows = await db.execute<Record<string, unknown>>(sql`
    select month, count(*)::int as sent, (count(*) filter (where viewed_at is not null or status in ('accepted', 'rejected')))::int as viewed,
      (count(*) filter (where status = 'accepted'))::int as accepted,
      (count(*) filter (where status = 'rejected'))::int as rejected,
      sum(total)::text as sent_amount, coalesce(sum(total) filter (where status = 'accepted' and withdrawn_at is null), 0)::text as accepted_amount,
      count(withdrawn_at)::int as withdrawn, coalesce(sum(total) filter (where withdrawn_at is not null), 0)::text as withdrawn_amount,
      coalesce(sum(price_to), 0)::text as offered_amount,
      coalesce(sum(total) filter (where status = 'accepted' and withdrawn_at is null and price_to is not null), 0)::text as taken_amount,
      percentile_cont(0.5) within group (order by extract(epoch from decided_at - sent_at)::float8 / 3600) as median_hours
    from (select ${month} as month, status, viewed_at, total, price_to, sent_at, decided_at, withdrawn_at from ${budget} where ${sentIn(period)}) as found
    group by grouping sets ((month), ()) order by month nulls last`)
  return rows.map(row => ({
    ...row as unknown as SentMonth,
    sent_amount: BigInt((row.sent_amount as string | null) ?? '0'),
    accepted_amount: BigInt(row.accepted_amount as string),
    withdrawn_amount: BigInt(row.withdrawn_amount as string),
    offered_amount: BigInt(row.offered_amount as string),
    taken_amount: BigInt(row.taken_amount as string)
  }))
}

/** Most frequent first. */
export async function countReasons(db: Db, period: Period): Promise<RejectionReason[]> {
  // One look-up each: for a join PostgreSQL might hash the signatures of all clinics.
  return await db.execute<Pick<RejectionReason, keyof RejectionReason>>(sql`
    select reason_code, count(*)::int as count
    from ${budget} cross join lateral (select reason_code from ${budgetSignature} where ${budgetSignature.budget_id} = ${budget.id} and ${budgetSignature.decision} = 'rejected' limit 1) as signed
    where ${sentIn(period)} and ${budget.status} = 'rejected'
    group by reason_code order by count(*) desc, reason_code`)
}

/** The bounds are instants, so that the index on `sent_at` can be used. */
const sentIn = ({
  clinic_id,
  from,
  to,
  time_zone
}: Period): SQL => sql`${budget.clinic_id} = ${clinic_id} and ${budget.status} <> 'superseded'
  and ${budget.sent_at} >= ${from}::date::timestamp at time zone ${time_zone} and ${budget.sent_at} < (${to}::date + 1)::timestamp at time zone ${time_zone}`
