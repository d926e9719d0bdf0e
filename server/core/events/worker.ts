import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Tx } from '@svc/kit'
import { CORE } from '../core-module.ts'
import { endAbandonedTransactions } from '../db/abandoned-transactions.ts'
import type { Heartbeat } from '../db/heartbeat.ts'
import type { Host } from '../host.ts'
import { createFailureLog } from '../failure-log.ts'
import { createTurns } from '../webhooks/turns.ts'
import { findDueWebhooks } from '../webhooks/queue.ts'
import { createSender } from '../webhooks/sender.ts'
import { createDispatch } from './dispatch.ts'
import { endUnreachable } from './end-deliveries.ts'
import { createListener } from './listen.ts'
import { addTick } from './publish.ts'
import { runSchedule, type Scheduled } from './schedule.ts'
import { findDueLines, readNotice, type Line, type Wake } from './wake.ts'

const CONCURRENCY = 4
/** How often due work is looked for, whose notice was lost or whose process was killed. */
const LOOK_MS = 5000
/** Looks until the next sweep, a minute. */
const LOOKS_PER_SWEEP = 12
/** Lines that one look finds; the next one finds further ones. */
const MOST_LINES = 1000
/** For handlers that run when the process ends. A second less than a whole stop has (`server/entry.ts`). */
const DRAIN_MS = 9000

/**
 * Delivers events, runs jobs and keeps the modules' schedules until `stop`, which lets running handlers finish.
 * Order, retries and "for ever" are in core_delivery; a notice only makes it quick.
 */
export function startWorker(host: Host, heartbeat: Heartbeat): { stop(): Promise<void> } {
  const failures = createFailureLog(host.log, 'worker')
  const own = host.database.connect({ max: CONCURRENCY + 1, name: 'svc-dispatch' })
  let hasFailed = false
  const noteFailure = (error: unknown) => {
    hasFailed = true
    failures.failed(error)
  }
  const { hear, look, finish } = createIntake(host, own, noteFailure)
  const listener = createListener(host.database, own, hear)
  const stopping = new AbortController()
  const stopped = new Promise<void>(resolve => stopping.signal.addEventListener('abort', () => resolve()))

  async function work() {
    for (let looks = 0; !stopping.signal.aborted; looks++) {
      const changed = heartbeat.change()
      if (heartbeat.isLost()) {
        await listener.stop()
        await Promise.race([changed, stopped])
        looks = -1 // begins with a sweep when it is back
        continue
      }
      // Each by itself: without a listener, looks still find everything.
      const tasks = [listener.ensure, look, ...(looks % LOOKS_PER_SWEEP === 0 ? [() => sweep(host, own)] : [])]
      for (const task of tasks) await task().catch(noteFailure)
      if (!hasFailed) failures.worked() // nor did a delivery since the last look
      hasFailed = false
      await Promise.race([pause(LOOK_MS, null, { signal: stopping.signal }).catch(() => {}), changed])
    }
  }

  const working = work()
  const schedule = runSchedule({ ...host, heartbeat }, scheduled(host))
  async function drain() {
    stopping.abort()
    await Promise.all([working, schedule.stop(), finish(), listener.stop()])
  }
  return {
    async stop() {
      const late = new AbortController()
      await Promise.race([drain(), pause(DRAIN_MS, null, { signal: late.signal }).catch(() => {})])
      late.abort()
      await own.end({ timeout: 1 })
    }
  }
}

/** What is to be done, by notices and looks. `own`: connections that requests cannot use up. */
function createIntake(host: Host, own: Sql, onError: (error: unknown) => void) {
  const sender = createSender(host)
  const deliver = createDispatch(host, own, (at, in_seconds) => lines.add(keyOf(at), at, in_seconds))
  const lines = createTurns<Wake>({ most: CONCURRENCY, run: deliver, onError })
  host.activity.note()

  async function look() {
    if (!lines.isWaiting()) {
      for (const line of await findDueLines(own, names(host), MOST_LINES)) lines.add(keyOf(line), line)
    }
    host.activity.note()
    for (const webhook_id of await findDueWebhooks(host.db)) sender.wake(webhook_id)
  }

  function hear(text: string) {
    const notice = readNotice(text)
    if (!notice) void look().catch(onError)
    else if ('webhook_id' in notice) sender.wake(notice.webhook_id)
    else lines.add(keyOf(notice), notice)
  }

  return { hear, look, finish: () => Promise.all([sender.stop(), lines.stop(DRAIN_MS)]) }
}

const keyOf = ({ module, line }: Line) => JSON.stringify([module, line])

async function sweep(host: Host, own: Sql): Promise<void> {
  await endAbandonedTransactions(own)
  const ended = await endUnreachable(own)
  if (ended > 0) host.log.warn('deliveries.ended', { count: ended, reason: 'their modules are uninstalled' })
}

/** The core's own jobs (`handlers.ts`). */
const OWN_SCHEDULE = { prune: '23 * * * *', unfinished: '41 2 * * *', trim_audit: '11 3 * * *' }

function scheduled({ registry }: Host): Scheduled[] {
  const jobs = registry.modules.flatMap(({ name: module, definition }) =>
    Object.entries(definition.jobs ?? {}).flatMap(([name, { cron }]) => cron ? [{ module, name, cron }] : [])
  )
  const own = Object.entries(OWN_SCHEDULE).map(([name, cron]) => ({ module: CORE, name, cron }))
  return [...own, ...jobs].map(entry => ({ ...entry, tick: (tx: Tx) => addTick(tx, entry) }))
}

const names = ({ registry }: Host) => [CORE, ...registry.modules.map(module => module.name)]
