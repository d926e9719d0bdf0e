import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { TaskList } from 'graphile-worker'
import type { Tx } from '@svc/kit'
import { trimAudit } from '../audit/trim-audit.ts'
import { endAbandonedTransactions } from '../db/abandoned-transactions.ts'
import type { Heartbeat } from '../db/heartbeat.ts'
import { pruneOldMails } from '../mail/remove-mail-files.ts'
import { pruneDeliveries, pruneIdempotency, pruneImports, pruneLimits, pruneSessions } from '../db/prune.ts'
import { removeUnfinished } from '../files/remove-unfinished.ts'
import type { Host } from '../host.ts'
import { findDueWebhooks } from '../webhooks/queue.ts'
import { createSender, type Sender } from '../webhooks/sender.ts'
import { createDispatch } from './dispatch.ts'
import { CORE } from '../core-module.ts'
import { endUnreachable } from './end-deliveries.ts'
import { addTick } from './publish.ts'
import { runSchedule, type Scheduled } from './schedule.ts'
import { wakeDue, type Wake } from './wake.ts'
import { DRAIN_MS, startWorkers } from './workers.ts'

const CONCURRENCY = 4
/** Loading the job library takes a moment, while requests are waiting. */
const AFTER_START_MS = 100
/** The pause before new workers start; doubled after each failed start, or first query without an answer. */
const REST_MS = 1000
const LONGEST_REST_MS = 60_000
/** A delivery whose process was killed is due when its lease ends, but nothing wakes it then. */
const LOOK_FOR_WEBHOOKS_MS = 10_000

/**
 * Delivers events, runs jobs and keeps the modules' schedules until `stop`, which lets running handlers finish. Order
 * and unlimited retries are stored in core_delivery; the job library only wakes. Each time the database comes back, new
 * workers start and look for unfinished work of the old ones.
 */
export function startWorker(host: Host, heartbeat: Heartbeat): { stop(): Promise<void> } {
  const { database, log, activity } = host
  const locks = database.connect({ max: CONCURRENCY, name: 'svc-dispatch' })
  const sender = createSender(host)
  const taskList = tasks(host, createDispatch(host, locks), sender)
  const stopping = new AbortController()
  const stopped = new Promise<void>(resolve => stopping.signal.addEventListener('abort', () => resolve()))
  const leaving = new Set<Promise<void>>()
  let rest = REST_MS

  async function work() {
    while (!stopping.signal.aborted) {
      if (heartbeat.isLost()) await Promise.race([heartbeat.change(), stopped])
      else await runWhileDatabaseUp().catch(waitToRetry)
    }
  }

  async function runWhileDatabaseUp() {
    const changed = heartbeat.change()
    const workers = await startWorkers({
      config: database.pg,
      concurrency: CONCURRENCY,
      tasks: taskList,
      log,
      activity
    })
    leaving.add(workers.ended)
    void workers.ended.then(() => leaving.delete(workers.ended))
    await sweep(host, sender).catch((error: unknown) => log.warn('worker.sweep', { error }))
    await Promise.race([workers.ending, changed, stopped])
    workers.stop()
    rest = workers.hasAsked() ? REST_MS : Math.min(2 * rest, LONGEST_REST_MS)
    await Promise.race([pause(rest, null, { signal: stopping.signal }).catch(() => {}), changed])
  }

  async function waitToRetry(error: unknown) {
    log.error('worker.start_failed', { error })
    rest = Math.min(2 * rest, LONGEST_REST_MS)
    await pause(rest, null, { signal: stopping.signal }).catch(() => {})
  }

  activity.begin()
  const working = Promise.race([pause(AFTER_START_MS), stopped]).then(work)
  const schedule = runSchedule(host, scheduled(host))
  const looking = setInterval(() => {
    if (!heartbeat.isLost())
      wakeSender(host, sender).catch((error: unknown) => log.warn('worker.sweep', { error }))
  }, LOOK_FOR_WEBHOOKS_MS)

  async function drain() {
    stopping.abort()
    clearInterval(looking)
    await Promise.all([working, schedule.stop(), sender.stop()])
    await Promise.all(leaving)
  }

  return {
    async stop() {
      const late = new AbortController()
      await Promise.race([drain(), pause(DRAIN_MS, null, { signal: late.signal }).catch(() => {})])
      late.abort()
      await locks.end({ timeout: 1 })
    }
  }
}

function tasks(host: Host, dispatch: (wake: Wake) => Promise<void>, sender: Sender): TaskList {
  return {
    dispatch: payload => dispatch(payload as Wake),
    webhook: payload => sender.wake((payload as { webhook_id: string }).webhook_id),
    sweep: () => sweep(host, sender),
    async unfinished() {
      const count = await removeUnfinished(join(host.config.storage, 'documents'))
      if (count > 0) host.log.info('documents.unfinished_removed', { count })
    },
    async prune() {
      await pruneLimits(host.db)
      await pruneIdempotency(host.db)
      await pruneDeliveries(host.db)
      await pruneSessions(host.db)
      await pruneImports(host.db)
      await pruneOldMails(host)
    },
    trim_audit: () => trimAudit(host)
  }
}

async function sweep(host: Host, sender: Sender): Promise<void> {
  await endAbandonedTransactions(host.db)
  const ended = await endUnreachable(host.database.sql)
  if (ended > 0) host.log.warn('deliveries.ended', { count: ended, reason: 'their modules are uninstalled' })
  await wakeDue(host.db, names(host))
  await wakeSender(host, sender)
}

async function wakeSender({ db }: Host, sender: Sender): Promise<void> {
  for (const webhook_id of await findDueWebhooks(db)) sender.wake(webhook_id)
}

const OWN_SCHEDULE = { sweep: '* * * * *', prune: '23 * * * *', unfinished: '41 2 * * *', trim_audit: '11 3 * * *' }

function scheduled({ registry }: Host): Scheduled[] {
  const jobs = registry.modules.flatMap(({ name: module, definition }) =>
    Object.entries(definition.jobs ?? {}).flatMap(([name, { cron }]) =>
      cron ? [{ module, name, cron, tick: (tx: Tx) => addTick(tx, { module, name }) }] : []
    )
  )
  const own = Object.entries(OWN_SCHEDULE).map(
    ([name, cron]) => ({
      module: CORE,
      name,
      cron,
      tick: async (tx: Tx) => void (await tx.execute(sql`select graphile_worker.add_job(${name})`))
    })
  )
  return [...own, ...jobs]
}

const names = ({ registry }: Host) => [CORE, ...registry.modules.map(module => module.name)]
