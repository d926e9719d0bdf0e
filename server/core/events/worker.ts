import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Tx } from '@svc/kit'
import { CORE } from '../core-module.ts'
import { endAbandonedTransactions } from '../db/abandoned-transactions.ts'
import type { Heartbeat } from '../db/heartbeat.ts'
import { createListener } from '../db/listener.ts'
import { CHANNEL } from '../db/notices.ts'
import type { Host } from '../host.ts'
import { createFailureLog } from '../failure-log.ts'
import { createTurns } from '../webhooks/turns.ts'
import { findDueWebhooks } from '../webhooks/queue.ts'
import { createSender } from '../webhooks/sender.ts'
import { createDispatch, pauseAfterError } from './dispatch.ts'
import { endUnreachable } from './end-deliveries.ts'
import { addTick } from './publish.ts'
import { runSchedule, type Scheduled } from './schedule.ts'
import { findDueLines, readNotice, type Line, type Wake } from './wake.ts'

const CONCURRENCY = 4
/** How often due work is searched whose notice was lost or whose process was killed. */
const POLL_INTERVAL_MS = 5000
/** Polls until the next sweep, which is after a minute. */
const POLLS_PER_SWEEP = 12
/** How long the worker trusts that its listening connection still exists. */
const ASK_EVERY_MS = 60_000
/** Maximum lines per poll. The next poll finds more. */
const MAX_LINES = 1000
/** For handlers that run when the process ends. A second less than a whole stop has (`server/entry.ts`). */
const DRAIN_MS = 9000

/**
 * Delivers events, runs jobs and keeps the modules' schedules until `stop`, which lets running handlers finish. Order
 * and retries depend only on core_delivery; a notice only makes delivery faster.
 */
export function startWorker(host: Host, heartbeat: Heartbeat): { stop(): Promise<void> } {
  const failures = createFailureLog(host.log, 'worker')
  const own = host.database.connect({ max: CONCURRENCY + 1, name: 'svc-dispatch' })
  let hasFailed = false
  const noteFailure = (error: unknown, about?: Line) => {
    hasFailed = true
    failures.failed(error, about && { module: about.module, line: about.line })
  }
  const { hear, look, finish } = createIntake(host, own, noteFailure)
  const listener = createListener(host.database, own, {
    name: `work:${randomUUID()}`, channel: CHANNEL, onNotice: hear, ask_every_ms: ASK_EVERY_MS
  })
  const resting = createRest()
  let isStopping = false

  /**
   * One subscription for all pauses: racing with the heartbeat's promise in each poll would keep all of those promises
   * in memory.
   */
  async function followHeartbeat() {
    while (!isStopping) {
      await heartbeat.change()
      resting.end()
    }
  }

  async function work() {
    for (let looks = 0; !isStopping; looks++) {
      if (heartbeat.isLost()) {
        await listener.stop()
        looks = -1 // begins with a sweep once the database is back
      } else {
        // Each one separately: without a listener, polls still find everything.
        const tasks = [listener.ensure, look, ...(looks % POLLS_PER_SWEEP === 0 ? [() => sweep(host, own)] : [])]
        for (const task of tasks) await task().catch(noteFailure)
        if (!hasFailed) failures.worked() // no delivery did either since the last poll
        hasFailed = false
      }
      await resting.rest(POLL_INTERVAL_MS)
    }
  }

  void followHeartbeat()
  const working = work()
  const schedule = runSchedule({ ...host, heartbeat }, scheduled(host))
  async function drain() {
    isStopping = true
    resting.end()
    // The listener may be about to start.
    const silent = working.then(() => listener.stop())
    await Promise.all([silent, schedule.stop(), finish()])
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

/** A pause that can be ended early, even before it begins. */
function createRest() {
  let isEnded = false
  let wake = () => {}
  return {
    end() {
      isEnded = true
      wake()
    },
    async rest(ms: number) {
      if (!isEnded) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isEnded = false
    }
  }
}

/** Lines with work, from notices and polls. `own`: connections that requests cannot use up. */
function createIntake(host: Host, own: Sql, onError: (error: unknown, about?: Line) => void) {
  const sender = createSender(host)
  const dispatch = createDispatch(host, own, (at, in_seconds) => lines.add(keyOf(at), at, in_seconds))
  /** Lines whose delivery failed without a stored result, and until when polls leave them out. */
  const unstored = new Map<string, { count: number, until: number }>()
  const lines = createTurns<Wake>({ max_running: CONCURRENCY, run: deliver, onError: postponeUnstored })
  host.activity.note()

  async function deliver(at: Wake) {
    const isMore = await dispatch(at)
    unstored.delete(keyOf(at))
    return isMore
  }

  /** The row is still due. Without this, each poll would run the handler again. */
  function postponeUnstored(error: unknown, at: Wake) {
    const count = (unstored.get(keyOf(at))?.count ?? 0) + 1
    const seconds = pauseAfterError(count, error)
    unstored.set(keyOf(at), { count, until: performance.now() + seconds * 1000 })
    lines.add(keyOf(at), at, seconds)
    onError(error, at)
  }

  async function look() {
    if (!lines.isFull()) {
      for (const line of await findDueLines(own, names(host), MAX_LINES)) {
        if ((unstored.get(keyOf(line))?.until ?? 0) <= performance.now()) lines.add(keyOf(line), line)
      }
    }
    host.activity.note()
    for (const webhook_id of await findDueWebhooks(own)) sender.wake(webhook_id)
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
