import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { rowsOf } from './db/rows.ts'

/** Small enough that no request waits for the locks of one statement, however much was left over. */
const BATCH = 5000

/** Counters that are over. */
export async function pruneLimits(db: Db): Promise<void> {
  await remove(db, sql`core_rate_limit`, { by: sql`expire`, isOld: sql`expire < now() - interval '1 hour'` })
}

/** Answers to requests with an `Idempotency-Key`, which are kept for a day. */
export async function pruneIdempotency(db: Db): Promise<void> {
  await remove(db, sql`core_idempotency`, {
    by: sql`created_at`,
    isOld: sql`created_at < now() - interval '24 hours'`
  })
}

/**
 * Jobs of a week, and a month of the log of deliveries; an event goes when no delivery of any kind needs it any more.
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
 * Sessions and mailed links that ended a month ago are of no use to anyone; the last used clinic is remembered until
 * then. Unfinished sign-ins are removed after an hour.
 */
export async function pruneSessions(db: Db): Promise<void> {
  const monthAgo = sql`now() - interval '30 days'`
  // The first condition follows from the second, and has an index that the use of a session need not write to.
  await remove(db, sql`core_session`, {
    by: sql`created_at`,
    isOld: sql`created_at < ${monthAgo} and (last_used_at < ${monthAgo} or revoked_at < ${monthAgo})`
  })
  await remove(db, sql`core_sign_in_step`, { by: sql`expires_at`, isOld: sql`expires_at < now() - interval '1 hour'` })
  await remove(db, sql`core_mailed_token`, { by: sql`expires_at`, isOld: sql`expires_at < ${monthAgo}` })
}

/** Files that were not run go after two days, the results of the others after a month. */
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

/** In place of `exists`, which PostgreSQL might answer by reading all deliveries into a hash. */
const needs = (deliveries: SQL) => sql`(select true from ${deliveries} where event_id = core_event.id limit 1)`

/**
 * The oldest first: in this order the index of the term is walked, whatever the statistics say of how much there is.
 */
async function remove(db: Db, table: SQL, { by, isOld }: { by: SQL, isOld: SQL }): Promise<void> {
  for (let removed = BATCH; removed === BATCH;) {
    const [gone] = await rowsOf<{ n: number }>(db, sql`
      with gone as (delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOld} order by ${by} limit ${BATCH})) and ${isOld} returning 1)
      select count(*)::int as n from gone`)
    removed = gone!.n
  }
}
