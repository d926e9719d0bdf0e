import { sql } from 'drizzle-orm'
import { isProblem, type EventEnvelope } from '@svc/kit'
import type { Sql, TransactionSql } from 'postgres'
import { findPressure } from '../db/pressure.ts'
import { rowsOf } from '../db/rows.ts'
import { toDatabaseProblem } from '../http/database-problems.ts'
import { describeError } from '../log.ts'
import type { Host } from '../host.ts'
import { watchHandler } from '../watch-handler.ts'
import { findHandlers, type Handlers } from './handlers.ts'
import type { Line, Wake } from './wake.ts'

const MAX_PAUSE = 15 * 60

/** While the database is unreachable: it returns for all waiting deliveries at once. */
const MAX_PAUSE_UNREACHABLE = 10

/** Seconds until the next attempt: 1, 2, 4, … 15 minutes, without end. `attempts` counts the failed ones, from 1. */
export const pauseAfter = (attempts: number) => Math.min(2 ** (attempts - 1), MAX_PAUSE)

/** The same, but shorter if the failure names a time (`retry_after`), or was the database's. */
export function pauseAfterError(attempts: number, error: unknown): number {
  const pause = pauseAfter(attempts)
  if (isProblem(error) && error.fields.retry_after !== undefined) return Math.min(pause, error.fields.retry_after)
  return toDatabaseProblem(error, {}) ? Math.min(pause, MAX_PAUSE_UNREACHABLE) : pause
}

/**
 * Delivers the oldest of a line. True: there may be another one. `locks` are separate connections: each holds a
 * transaction while a handler runs, and the handler needs the pool. After a failure, `again` adds the line once more.
 */
export function createDispatch(host: Host, locks: Sql, again: (at: Wake, in_seconds: number) => void) {
  return async function deliver(at: Wake): Promise<boolean> {
    const outcome = await deliverOldest(host, locks, at)
    if (typeof outcome === 'number') again(at, outcome)
    return outcome === 'done'
  }
}

interface Delivery {
  id: string
  kind: 'event' | 'job'
  name: string
  attempts: number
  payload: unknown
  event: (Omit<EventEnvelope, 'occurred_at'> & { occurred_at: string }) | null
}

/**
 * One delivery in one transaction that holds the line's lock. "Done" commits under the lock or not at all: a process
 * that has lost its connection, and with it the lock, marks nothing. Returns the pause if the handler failed.
 */
async function deliverOldest(host: Host, locks: Sql, at: Wake): Promise<'done' | 'nothing' | number> {
  const handlers = findHandlers(host, at.module)
  if (!handlers) return 'nothing' // stays pending until the module runs again
  let handled: Promise<void> | undefined
  try {
    return await locks.begin(async (tx) => {
      if (!await takeLine(tx, at)) return 'nothing'
      const delivery = await findOldest(host.db, at)
      if (!delivery) return 'nothing'
      await tx`select 1` // fails if the line was lost while the pool had no free connection
      try {
        const work = { module: at.module, endpoint: `${delivery.kind} ${delivery.name}` }
        handled = traced(host, { at, delivery }, () => watchHandler(host.log, work, () => handle(handlers, delivery)))
        await handled
      } catch (error) {
        return await postpone(host, tx, { at, delivery, error })
      }
      await tx`
        update core_delivery set status = 'done', done_at = clock_timestamp(), attempts = attempts + 1, last_error = null
        where id = ${delivery.id}::bigint`
      return 'done'
    }) as 'done' | 'nothing' | number
  } finally {
    await handled?.catch(() => {}) // the connection can end before the handler does: the line stays busy until then
  }
}

/**
 * False if another process holds the line. That process receives the same notices, and checks again after its current
 * delivery, so that this one need not wait. A holder that has vanished is terminated after a while.
 */
async function takeLine(tx: TransactionSql, { module, line }: Line): Promise<boolean> {
  const [row] = await tx<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`svc-line:${module}:${line}`}, 0)) as taken,
           set_config('idle_in_transaction_session_timeout', '30min', true),
           set_config('lock_timeout', '0', true) -- the final update may wait for a migration, but its result must be kept
    `
  return row!.taken
}

/**
 * Null if the oldest is not due yet, because later ones wait for it. Read from the pool: the line's transaction would
 * keep its locks on both tables until the handler ends, so that a migration would wait for it, and the handler's own
 * writes for the migration.
 */
async function findOldest(db: Host['db'], { module, line }: Line): Promise<Delivery | null> {
  const [row] = await rowsOf<Delivery & { due: boolean }>(db, sql`
    select d.id::text, d.kind, d.name, d.attempts, d.payload, d.next_attempt_at <= clock_timestamp() as due,
           case when e.id is not null then jsonb_build_object(
             'id', e.id, 'name', e.name, 'seq', e.seq::text, 'occurred_at', e.occurred_at,
             'clinic_id', e.clinic_id, 'payload', e.payload) end as event
    from core_delivery d left join core_event e on e.id = d.event_id
    where d.module_name = ${module} and d.line = ${line} and d.status = 'pending'
    order by d.id limit 1`)
  return row?.due ? row : null
}

function traced(
  { tracing }: Host,
  { at, delivery }: { at: Wake, delivery: Delivery },
  run: () => Promise<void>
): Promise<void> {
  const { kind, name, attempts } = delivery
  const attributes = { 'svc.module': at.module, 'svc.kind': kind, 'svc.name': name, 'svc.attempt': attempts + 1 }
  return tracing.run(
    { kind: 'work', name: `${kind} ${at.module} ${name}`, attributes, traceparent: at.traceparent },
    run
  )
}

async function handle(handlers: Handlers, delivery: Delivery): Promise<void> {
  if (delivery.kind === 'job')
    return await handlers.job(delivery.name, delivery.payload, { attempt: delivery.attempts + 1 })
  if (delivery.event) await handlers.event({ ...delivery.event, occurred_at: new Date(delivery.event.occurred_at) })
}

async function postpone(
  host: Host,
  tx: TransactionSql,
  { at, delivery, error }: { at: Line, delivery: Delivery, error: unknown }
): Promise<number> {
  if (findPressure(error)) host.troubles.database.note()
  const attempts = delivery.attempts + 1
  const pause = pauseAfterError(attempts, error)
  const { message } = describeError(error)
  await tx`
    update core_delivery set attempts = ${attempts}, last_error = ${message.slice(0, 2000)},
      next_attempt_at = clock_timestamp() + ${pause}::float8 * interval '1 second'
    where id = ${delivery.id}::bigint and status = 'pending'` // an uninstall can have ended it meanwhile
  host.log.warn('delivery.failed', {
    module: at.module,
    kind: delivery.kind,
    name: delivery.name,
    delivery: delivery.id,
    attempt: attempts,
    retry_in: pause,
    error
  })
  return pause
}
