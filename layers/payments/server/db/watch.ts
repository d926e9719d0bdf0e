import { sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { RefundState } from '../../shared/domain/request-state.ts'
import { attempt, refund, request } from './schema.ts'

export interface Watched { id: string, reference: string, provider: string, since: Date }

export interface WatchedRefund { id: string, reference: string, state: RefundState }

const LIMIT = 100

async function listWatched(db: Db, where: ReturnType<typeof sql>, since: ReturnType<typeof sql>): Promise<Watched[]> {
  const rows = await db
    .select({ id: attempt.id, reference: request.reference, provider: attempt.provider, since: sql<string>`${since}::text` })
    .from(attempt)
    .innerJoin(request, sql`${request.id} = ${attempt.request_id}`)
    .where(where)
    .orderBy(since)
    .limit(LIMIT)
  return rows.map(row => ({ ...row, since: new Date(row.since) }))
}

/** Undecided after the last time that the provider was asked. */
export const listStuck = (db: Db) => listWatched(
  db,
  sql`${attempt.state} in ('open', 'pending') and ${attempt.provider} <> 'manual' and ${attempt.created_at} < now() - interval '3 days'
    and ${request.state} in ('open', 'pending', 'failed')`,
  sql`${attempt.created_at}`
)

/** Paid, and not in billing ten minutes later. */
export const listUnrecorded = (db: Db) => listWatched(
  db,
  sql`${attempt.state} = 'paid' and ${attempt.recorded_at} is null and ${attempt.paid_at} < now() - interval '10 minutes'`,
  sql`${attempt.paid_at}`
)

/** Providers that have given no usable answer for an hour, with the number of attempts that wait. */
export async function listSilent(db: Db): Promise<{ clinic_id: string, provider: string, attempts: number }[]> {
  return await db
    .select({ clinic_id: attempt.clinic_id, provider: attempt.provider, attempts: sql<number>`count(*)::int` })
    .from(attempt)
    .where(sql`${attempt.unreachable_since} < now() - interval '1 hour' and ${attempt.state} in ('open', 'pending')`)
    .groupBy(attempt.clinic_id, attempt.provider)
}

/** Refunds without the provider's answer for an hour, and those that it still works on after three days. */
export async function listOpenRefunds(db: Db): Promise<WatchedRefund[]> {
  return await db
    .select({ id: refund.id, reference: request.reference, state: refund.state })
    .from(refund)
    .innerJoin(request, sql`${request.id} = ${refund.request_id}`)
    .where(sql`${refund.state} = 'open' and ${refund.created_at} < now() - interval '1 hour'
      or ${refund.state} = 'pending' and ${refund.created_at} < now() - interval '3 days'`)
    .limit(LIMIT)
}

/** Paid back, and not in billing ten minutes later. Billing has no advance of a mismatch. */
export async function listUnrecordedRefunds(db: Db): Promise<{ id: string, reference: string }[]> {
  return await db
    .select({ id: refund.id, reference: request.reference })
    .from(refund)
    .innerJoin(request, sql`${request.id} = ${refund.request_id}`)
    .innerJoin(attempt, sql`${attempt.id} = ${refund.attempt_id}`)
    .where(sql`${refund.state} = 'done' and ${refund.recorded_at} is null and ${attempt.state} = 'paid'
      and ${refund.done_at} < now() - interval '10 minutes'`)
    .limit(LIMIT)
}

/** Of all clinics. */
export async function countAll(db: Db): Promise<{ state: string, n: number }[]> {
  return await db.select({ state: request.state, n: sql<number>`count(*)::int` }).from(request).groupBy(request.state)
}

export async function countWaiting(db: Db): Promise<{ pending: number, attention: number }> {
  const [pending] = await db
    .select({ n: sql<number>`count(*)::int` }).from(attempt).where(sql`${attempt.next_check_at} is not null`)
  const [attention] = await db
    .select({ n: sql<number>`count(*)::int` }).from(request).where(sql`${request.attention} <> '{}'`)
  return { pending: pending!.n, attention: attention!.n }
}
