import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import { isId, problem, type Db, type Tx } from '@svc/kit'
import type { WebhookDelivery, WebhookDeliveryQuery } from '../../../shared/webhooks.ts'
import { coreEvent, coreWebhookAttempt, coreWebhookDelivery } from '../db/schema.ts'
import { showFailure } from './failure.ts'
import { wakeWebhooks } from './queue.ts'
import { getWebhook, lockWebhook } from './webhooks.ts'

const ATTEMPTS_SHOWN = 20
const instant = (column: SQL | string) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const attempts = sql<Omit<WebhookDelivery['attempt_log'][number], 'failure'>[]>`coalesce((
  select jsonb_agg(jsonb_build_object('at', ${instant(sql.raw('attempt.at'))}, 'duration_ms', attempt.duration_ms,
    'response_status', attempt.response_status, 'response_body', attempt.response_body, 'error', attempt.error) order by attempt.id desc)
  from (select * from ${coreWebhookAttempt} where ${coreWebhookAttempt.delivery_id} = ${coreWebhookDelivery.id} order by ${coreWebhookAttempt.id} desc limit ${ATTEMPTS_SHOWN}) as attempt
), '[]'::jsonb)`

const columns = {
  id: coreWebhookDelivery.id,
  event_id: coreWebhookDelivery.event_id,
  event: coreEvent.name,
  status: coreWebhookDelivery.status,
  attempts: coreWebhookDelivery.attempts,
  next_attempt_at: coreWebhookDelivery.next_attempt_at,
  created_at: coreWebhookDelivery.created_at,
  done_at: coreWebhookDelivery.done_at,
  attempt_log: attempts
}

interface Named { clinic_id: string, id: string }

/** One page, newest first; `total` counts all pages. Throws `not_found`. */
export async function listDeliveries(db: Db, name: Named, { page, page_size, status }: WebhookDeliveryQuery) {
  await getWebhook(db, name)
  const where = and(eq(coreWebhookDelivery.webhook_id, name.id), status && eq(coreWebhookDelivery.status, status))
  const rows = await select(db).where(where)
    .orderBy(desc(coreWebhookDelivery.created_at), desc(coreWebhookDelivery.id))
    .limit(page_size).offset((page - 1) * page_size)
  return { rows: rows.map(toDelivery), total: await db.$count(coreWebhookDelivery, where) }
}

/**
 * Queues it again from the start, with the same `webhook-id`; one that waits for its next attempt is sent now. Throws
 * `not_found` or `wrong_state`.
 */
export async function replayDelivery(db: Db, name: Named, delivery_id: string) {
  return await db.transaction(async (tx) => {
    await assertActive(tx, name)
    const where = isId(delivery_id)
      ? and(eq(coreWebhookDelivery.webhook_id, name.id), eq(coreWebhookDelivery.id, delivery_id))
      : undefined
    const queued = where && await queueAgain(tx, where)
    if (!queued) throw problem('not_found', { detail: 'This webhook has no such delivery.' })
    await wakeWebhooks(tx, [name.id])
    const [row] = await select(tx).where(where)
    return toDelivery(row!)
  })
}

/**
 * Resends all failed deliveries that are still stored, in one statement, oldest first. Throws `not_found` or
 * `wrong_state`.
 */
export async function replayFailed(db: Db, name: Named): Promise<{ queued: number }> {
  return await db.transaction(async (tx) => {
    await assertActive(tx, name)
    const queued = await queueAgain(
      tx,
      and(eq(coreWebhookDelivery.webhook_id, name.id), sql`${coreWebhookDelivery.status} = 'failed'`)
    )
    if (queued > 0) await wakeWebhooks(tx, [name.id])
    return { queued }
  })
}

/** Locks the webhook before its deliveries, like a deletion, so that the two can't deadlock. */
async function assertActive(tx: Tx, name: Named): Promise<void> {
  const { active } = await lockWebhook(tx, name)
  if (!active) throw problem('wrong_state', { detail: 'The webhook is off. Turn it on to resend.' })
}

/** Returns how many were queued. */
async function queueAgain(tx: Tx, where: SQL | undefined): Promise<number> {
  const again = { status: 'pending' as const, failures: 0, next_attempt_at: sql`now()`, done_at: null }
  return (await tx.update(coreWebhookDelivery).set(again).where(where)).count
}

const select = (db: Db | Tx) =>
  db.select(columns).from(coreWebhookDelivery).innerJoin(coreEvent, eq(coreEvent.id, coreWebhookDelivery.event_id))

type Row = Awaited<ReturnType<typeof select>>[number]

function toDelivery(row: Row) {
  const attempt_log = row.attempt_log.map((attempt) => {
    const { text, failure } = showFailure(attempt.error)
    return { ...attempt, error: text, failure }
  })
  return {
    ...row,
    attempt_log,
    response_status: attempt_log[0]?.response_status ?? null,
    last_error: attempt_log[0]?.error ?? null
  }
}
