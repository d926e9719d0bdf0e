import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { AnyTx, Db } from '@svc/kit'
import { queueNotices } from '../db/notices.ts'
import { rowsOf } from '../db/rows.ts'
import { WITHOUT_STANDBY } from '../db/without-standby.ts'
import type { Outcome } from './post.ts'
import { pauseAfter } from './retry-pauses.ts'

/**
 * How long a claimed delivery belongs to the process that makes the attempt, unless that renews the lease. A process
 * that was killed leaves nothing locked.
 */
const LEASE_SECONDS = 20
/** Milliseconds; three renewals fit into a lease. */
export const RENEW_LEASE_MS = 5000

/** An event that was just written. */
interface Queued { id: string, name: string, clinic_id: string }

/**
 * Adds a delivery of the event to each webhook of its clinic that subscribes, and a notice for each, once this commits.
 * The webhooks' rows are locked meanwhile, so that a concurrent deletion can't make the event's transaction fail.
 */
export async function queueForWebhooks(tx: AnyTx, event: Queued): Promise<void> {
  const queued = await rowsOf<{ webhook_id: string }>(tx, sql`
    insert into core_webhook_delivery (webhook_id, event_id)
    select id, ${event.id}::uuid from core_webhook
    where clinic_id = ${event.clinic_id}::uuid and active and events && array['*', ${event.name}::text]
    for key share
    returning webhook_id`)
  await wakeWebhooks(tx, queued.map(({ webhook_id }) => webhook_id))
}

/** Makes a process check the webhooks' deliveries, once this commits. */
export const wakeWebhooks = (tx: AnyTx, ids: string[]): Promise<void> =>
  queueNotices(tx, ids.map(webhook_id => ({ webhook_id })))

/** Webhooks with a delivery that is due, including those that a crash has left. */
export async function findDueWebhooks(db: AnyTx): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(db, sql`
    select webhook.id from core_webhook webhook
    where webhook.active and exists (select 1 from core_webhook_delivery
      where webhook_id = webhook.id and status = 'pending' and next_attempt_at <= now())`)
  return rows.map(({ id }) => id)
}

export interface Claimed {
  id: string
  /** Only the process with the latest claim renews or releases the lease. */
  claim: string
  webhook_id: string
  failures: number
  url: string
  secret: string
  include_reason: boolean
  /** When it was claimed, by the database's clock. */
  at: string
  event: { id: string, name: string, seq: string, occurred_at: string, payload: Record<string, unknown> }
}

/**
 * The webhook's delivery that has been due for longest; null if there is none. While the lease lasts, no other process
 * gets it.
 */
export async function claimNext(db: Db | AnyTx, webhook_id: string): Promise<Claimed | null> {
  const [claimed] = await rowsOf<Claimed>(db, sql`
    update core_webhook_delivery delivery set claim = ${randomUUID()}::uuid,
      next_attempt_at = clock_timestamp() + ${LEASE_SECONDS}::float8 * interval '1 second'
    from core_webhook webhook, core_event event
    where delivery.id = (
        select id from core_webhook_delivery
        where webhook_id = ${webhook_id}::uuid and status = 'pending' and next_attempt_at <= clock_timestamp()
        order by next_attempt_at, created_at, id limit 1 for update skip locked)
      and webhook.id = delivery.webhook_id and webhook.active and event.id = delivery.event_id
    returning ${WITHOUT_STANDBY}, delivery.id, delivery.claim, delivery.failures,
      webhook.id as webhook_id, webhook.url, webhook.secret, webhook.include_reason,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      jsonb_build_object('id', event.id, 'name', event.name, 'seq', event.seq::text, 'payload', event.payload,
        'occurred_at', to_char(event.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as event`)
  return claimed ?? null
}

/**
 * A delivery's row, unless it is locked, perhaps by its own attempt whose commit waits for a standby: waiting here
 * would occupy a connection that reads need, one more with each renewal. No other process takes a locked row meanwhile.
 */
const unlocked = (id: string) =>
  sql`(select id from core_webhook_delivery where id = ${id}::uuid for no key update skip locked)`

/**
 * Renews the lease of a running attempt. Returns the webhook's current settings for the call. Null if the delivery was
 * replayed or the attempt ended otherwise, if another process has taken it over, if the webhook was deleted or
 * deactivated, and while the row is locked.
 */
export async function renewLease(
  db: Db | AnyTx,
  { id, claim, failures }: Claimed
): Promise<Pick<Claimed, 'url' | 'secret' | 'include_reason' | 'at'> | null> {
  const [current] = await rowsOf<Pick<Claimed, 'url' | 'secret' | 'include_reason' | 'at'>>(db, sql`
    update core_webhook_delivery delivery set next_attempt_at = clock_timestamp() + ${LEASE_SECONDS}::float8 * interval '1 second'
    from core_webhook webhook
    where delivery.id = ${unlocked(id)} and delivery.status = 'pending' and delivery.failures = ${failures}::int
      and delivery.claim = ${claim}::uuid and delivery.next_attempt_at > clock_timestamp()
      and webhook.id = delivery.webhook_id and webhook.active
    returning ${WITHOUT_STANDBY}, webhook.url, webhook.secret, webhook.include_reason,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`)
  return current ?? null
}

/**
 * Releases a claimed delivery unchanged. Does nothing if another process has taken it over. A locked delivery becomes
 * due when its lease ends.
 */
export async function release(db: Db | AnyTx, { id, claim }: Claimed): Promise<void> {
  await rowsOf(db, sql`
    update core_webhook_delivery set next_attempt_at = now(), claim = null
    where id = ${unlocked(id)} and claim = ${claim}::uuid and status = 'pending' returning ${WITHOUT_STANDBY}`)
}

/**
 * Writes the attempt and its consequences. Rows deleted meanwhile are ignored. If the delivery was replayed, or the
 * webhook got another URL meanwhile, the earlier attempt does not affect the next one. Returns the seconds until the
 * next attempt; null if none follows.
 */
export async function recordAttempt(
  db: Db,
  claimed: Claimed,
  outcome: Outcome & { ms: number }
): Promise<number | null> {
  const failures = outcome.error === null ? claimed.failures : claimed.failures + 1
  const pause = outcome.error === null ? null : pauseAfter(failures)
  const status = outcome.error === null ? 'delivered' : pause === null ? 'failed' : 'pending'
  const webhook = sql`core_webhook.id = ${claimed.webhook_id}::uuid and core_webhook.url = ${claimed.url}`
  await db.transaction(async (tx) => {
    // Locks the webhook's row first, like a deletion, so that the two never wait for each other.
    await rowsOf(
      tx,
      outcome.error === null
        ? sql`update core_webhook set failing_since = null, last_error = null, last_success_at = clock_timestamp() where ${webhook}`
        : sql`update core_webhook set failing_since = coalesce(failing_since, clock_timestamp()), last_error = ${outcome.error} where ${webhook}`
    )
    await rowsOf(tx, sql`
      update core_webhook_delivery set failures = ${failures}::int, status = ${status},
        next_attempt_at = clock_timestamp() + ${pause}::float8 * interval '1 second',
        done_at = case when ${status} = 'pending' then null else clock_timestamp() end
      where id = ${claimed.id}::uuid and failures = ${claimed.failures}::int and exists (select from core_webhook where ${webhook})`)
    await rowsOf(tx, sql`
      with delivery as (update core_webhook_delivery set attempts = attempts + 1 where id = ${claimed.id}::uuid returning id)
      insert into core_webhook_attempt (delivery_id, at, duration_ms, response_status, response_body, error)
      select id, clock_timestamp() - ${outcome.ms}::float8 * interval '1 millisecond', ${outcome.ms}::int, ${outcome.status}::int, ${outcome.body}::text, ${outcome.error}::text from delivery`)
  })
  return pause
}
