import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { rowsOf } from './rows.ts'

/** Small enough that no request waits for the locks of one statement, however many rows have accumulated. */
const BATCH = 5000

/** Counters whose window has ended. */
export async function pruneLimits(db: Db): Promise<void> {
  await remove(db, sql`core_rate_limit`, { by: sql`expire`, isOld: sql`expire < now() - interval '1 hour'` })
}

/** Answers to requests with an `Idempotency-Key` are kept for a day. */
export async function pruneIdempotency(db: Db): Promise<void> {
  await remove(db, sql`core_idempotency`, {
    by: sql`created_at`,
    isOld: sql`created_at < now() - interval '24 hours'`
  })
}

/**
 * Removes jobs after a week, and the delivery log after a month. An event is removed when no delivery of any kind needs
 * it.
 */
export async function pruneDeliveries(db: Db): Promise<void> {
  await remove(db, sql`core_delivery`, {
    by: sql`done_at`,
    isOld: sql`kind = 'job' and status = 'done' and done_at < now() - interval '7 days'`
  })
  await remove(db, sql`core_webhook_delivery`, {
    by: sql`done_at`,
    isOld: sql`status <> 'pending' and done_at < now() - interval '30 days'`
  })
  await remove(db, sql`core_delivery`, {
    by: sql`done_at`,
    isOld: sql`kind = 'event' and status = 'done' and done_at < now() - interval '30 days'`
  })
  await remove(db, sql`core_event`, {
    by: sql`occurred_at`,
    isOld: sql`occurred_at < now() - interval '30 days' and ${needs(sql`core_delivery`)} is null and ${needs(sql`core_webhook_delivery`)} is null`
  })
}

/**
 * Removes sessions and mailed links a month after they ended; until then, a session holds the person's last clinic.
 * Unfinished sign-ins are removed after an hour.
 */
export async function pruneSessions(db: Db): Promise<void> {
  const monthAgo = sql`now() - interval '30 days'`
  // The first condition follows from the second, and its index need not be written when a session is used.
  await remove(db, sql`core_session`, {
    by: sql`created_at`,
    isOld: sql`created_at < ${monthAgo} and (last_used_at < ${monthAgo} or revoked_at < ${monthAgo})`
  })
  await remove(db, sql`core_sign_in_step`, { by: sql`expires_at`, isOld: sql`expires_at < now() - interval '1 hour'` })
  await remove(db, sql`core_mailed_token`, { by: sql`expires_at`, isOld: sql`expires_at < ${monthAgo}` })
}

/** Removes files that were not run after two days, and the results of the others after a month. */
export async function pruneImports(db: Db): Promise<void> {
  await remove(db, sql`core_import`, {
    by: sql`created_at`,
    isOld: sql`created_at < now() - interval '2 days' and state in ('uploaded', 'checked')`
  })
  await remove(db, sql`core_import`, {
    by: sql`created_at`,
    isOld: sql`created_at < now() - interval '30 days' and finished_at < now() - interval '30 days'`
  })
}

/** Providers report within days. */
export async function pruneChannelMessages(db: Db): Promise<void> {
  await remove(db, sql`core_channel_message`, { by: sql`created_at`, isOld: sql`created_at < now() - interval '30 days'` })
}

/** Instead of `exists`, for which PostgreSQL might read all deliveries into a hash. */
const needs = (deliveries: SQL) => sql`(select true from ${deliveries} where event_id = core_event.id limit 1)`

/** Oldest first: in this order PostgreSQL uses the index on that column, whatever its statistics. */
async function remove(db: Db, table: SQL, { by, isOld }: { by: SQL, isOld: SQL }): Promise<void> {
  for (let removed = BATCH; removed === BATCH;) {
    const [gone] = await rowsOf<{ n: number }>(db, sql`
      with gone as (delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOld} order by ${by} limit ${BATCH})) and ${isOld} returning 1)
      select count(*)::int as n from gone`)
    removed = gone!.n
  }
}
