import { setTimeout as pause } from 'node:timers/promises'
import { Cron } from 'croner'
import { sql } from 'drizzle-orm'
import type { Db, Logger, Tx } from '@svc/kit'
import { clock } from '../clock.ts'
import type { Heartbeat } from '../db/heartbeat.ts'
import { rowsOf } from '../db/rows.ts'
import { createFailureLog } from '../failure-log.ts'

export interface Scheduled {
  module: string
  name: string
  /** Five fields, UTC. */
  cron: string
  /** Called in the transaction that advances the schedule. */
  tick(tx: Tx): Promise<void>
}

const MAX_PAUSE_MS = 60_000
const AFTER_FAILURE_MS = 1000

/**
 * Ticks by the database's clock: however many instances run, and whatever their clocks show, each instant has one tick.
 * Ticks missed while no instance ran, or without a database, become one tick.
 */
export function runSchedule(
  { db, log, heartbeat }: { db: Db, log: Logger, heartbeat?: Heartbeat },
  scheduled: Scheduled[]
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const stopped = new Promise<void>(resolve => stopping.signal.addEventListener('abort', () => resolve()))
  const wait = (ms: number) => pause(ms, null, { signal: stopping.signal }).catch(() => {})
  const failures = createFailureLog(log, 'schedule')
  const crons = scheduled.map(entry => ({ ...entry, after: nextOf(entry.cron) }))

  async function tryTurn(): Promise<number> {
    try {
      const until_next = await runDueSchedules(db, crons)
      failures.worked()
      return until_next
    } catch (error) {
      failures.failed(error)
      return AFTER_FAILURE_MS
    }
  }

  async function run() {
    while (!stopping.signal.aborted) {
      const changed = heartbeat?.change()
      if (heartbeat?.isLost()) await Promise.race([changed, stopped])
      else await wait(Math.min(await tryTurn(), MAX_PAUSE_MS))
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    }
  }
}

type Timed = Scheduled & { after: ReturnType<typeof nextOf> }

/**
 * The first instant of a schedule after another one; null if there is none. The library's own clock, which is the
 * process's, is never used.
 */
export function nextOf(cron: string): (now: Date) => Date | null {
  const pattern = new Cron(cron, { mode: '5-part', timezone: 'UTC', paused: true })
  return now => pattern.nextRun(now)
}

/** Milliseconds until something is due. */
async function runDueSchedules(db: Db, crons: Timed[]): Promise<number> {
  return await db.transaction(async (tx) => {
    const known = await lockKnown(tx)
    const now = await clock.wall(tx)
    let until_next = Infinity
    for (const entry of crons) {
      const next = entry.after(now)
      if (!next) continue // no module has such a schedule, because they are checked when loaded
      const due_at = known.get(keyOf(entry))
      if (due_at !== undefined && due_at <= now.getTime()) await entry.tick(tx)
      // Also if the pattern has changed, or the database's clock was set.
      if (due_at !== next.getTime()) await saveNext(tx, entry, next)
      until_next = Math.min(until_next, next.getTime() - now.getTime())
    }
    return until_next
  })
}

const keyOf = ({ module, name }: { module: string, name: string }) => `${module}:${name}`

/**
 * One instance at a time, including rows that are still to be added. An instance that vanishes with the lock delays the
 * others for at most half a minute.
 */
async function lockKnown(tx: Tx): Promise<Map<string, number>> {
  await tx.execute(sql`select set_config('idle_in_transaction_session_timeout', '30s', true), set_config('lock_timeout', '10s', true)`)
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('core_schedule'))`)
  const rows = await rowsOf<{ module: string, name: string, ms: number }>(tx, sql`
    select module_name as module, name, (extract(epoch from next_at) * 1000)::float8 as ms from core_schedule`)
  return new Map(rows.map(row => [keyOf(row), row.ms]))
}

async function saveNext(tx: Tx, { module, name }: Scheduled, next: Date): Promise<void> {
  await rowsOf(tx, sql`
    insert into core_schedule (module_name, name, next_at) values (${module}, ${name}, ${next.toISOString()}::text::timestamptz)
    on conflict (module_name, name) do update set next_at = excluded.next_at`)
}
