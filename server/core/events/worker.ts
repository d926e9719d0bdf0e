import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Logger as GraphileLogger, parseCronItems, run, runMigrations, type CronItem, type Runner, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { forgetEnded } from '../auth/forget-ended.ts'
import type { Database } from '../db/client.ts'
import { forgetOldLetters } from '../privacy/letters.ts'
import { removeUnfinished } from '../remove-unfinished.ts'
import type { Services } from '../services.ts'
import { findDueWebhooks, pruneDelivered } from '../webhooks/queue.ts'
import { createSender, type Sender } from '../webhooks/sender.ts'
import { createDispatch } from './dispatch.ts'
import { CORE } from './handlers.ts'
import { addTick } from './publish.ts'
import { wakeDue, type Wake } from './wake.ts'

const CONCURRENCY = 4
const DRAIN_SECONDS = 10

/** The job library's own tables. Part of the boot, inside its lock. */
export async function migrateWorker(database: Database): Promise<void> {
  const pool = openPool(database.pg, 1, () => {}) // a connection that breaks fails the statement that needed it
  try {
    await runMigrations({ pgPool: pool, logger: new GraphileLogger(() => () => {}) })
  } finally {
    await pool.end()
  }
}

/**
 * Delivers events, runs jobs and keeps the modules' schedules until `stop`, which lets running handlers finish.
 * Order, retries and "for ever" live in core_delivery; the job library only wakes and schedules.
 */
export async function startWorker(services: Services): Promise<{ stop(): Promise<void> }> {
  const locks = services.database.connect({ max: CONCURRENCY, name: 'svc-dispatch' })
  const pool = openPool(services.database.pg, CONCURRENCY + 2, error => services.log.warn('worker.connection', { error }))
  const sender = createSender(services)
  const options = {
    pgPool: pool,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    logger: toGraphileLogger(services),
    taskList: tasks(services, createDispatch(services, locks), sender),
    parsedCronItems: parseCronItems(schedule(services))
  }

  let stopping = false
  let runner: Runner = await run(options)
  const life = keepRunning()
  await sweep(services, sender) // what the last process left half done

  /** The library gives up when its listening or its schedule fails for good, as when the database is away for long. */
  async function keepRunning() {
    while (!stopping) {
      await runner.promise.catch((error: unknown) => services.log.error('worker.stopped', { error }))
      if (stopping) return
      await pause(1000)
      runner = await run(options).catch((error: unknown) => {
        services.log.error('worker.start', { error })
        return runner // ended: the next turn tries again
      })
      if (stopping) await runner.stop().catch(() => {}) // stop() saw the one before
    }
  }

  return {
    async stop() {
      stopping = true
      const patience = new AbortController()
      const drained = Promise.allSettled([runner.stop(), life, sender.stop()])
      await Promise.race([drained, pause(DRAIN_SECONDS * 1000, null, { signal: patience.signal }).catch(() => {})])
      patience.abort()
      await Promise.all([locks.end({ timeout: 1 }), pool.end()])
    }
  }
}

/** An error on an idle connection nobody listens to would end the process. */
function openPool(config: pg.PoolConfig, max: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...config, max })
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  return pool
}

function tasks(services: Services, dispatch: (wake: Wake) => Promise<void>, sender: Sender): TaskList {
  return {
    dispatch: payload => dispatch(payload as Wake),
    tick: payload => addTick(services.db, payload as { module: string, name: string }),
    webhook: payload => sender.wake((payload as { webhook_id: string }).webhook_id),
    sweep: () => sweep(services, sender),
    async unfinished() {
      const count = await removeUnfinished(join(services.config.storage, 'documents'))
      if (count > 0) services.log.info('documents.unfinished_removed', { count })
    },
    async prune() {
      await services.db.execute(sql`delete from core_rate_limit where expire < now() - interval '1 hour'`)
      await services.db.execute(sql`delete from core_delivery where status = 'done' and kind = 'job' and done_at < now() - interval '7 days'`)
      await pruneDelivered(services.db)
      await forgetEnded(services)
      await forgetOldLetters(services)
    }
  }
}

async function sweep(services: Services, sender: Sender): Promise<void> {
  await wakeDue(services.db, names(services))
  for (const webhook_id of await findDueWebhooks(services.db)) sender.wake(webhook_id)
}

/** Each tick happens once, however many instances run: the library keeps the last one per identifier. UTC. */
function schedule({ registry }: Services): CronItem[] {
  const jobs = registry.modules.flatMap(({ name: module, definition }) => Object.entries(definition.jobs ?? {})
    .flatMap(([name, { cron }]) => cron ? [{ task: 'tick', match: cron, identifier: `${module}:${name}`, payload: { module, name } }] : []))
  const own = [{ task: 'sweep', match: '* * * * *', identifier: `${CORE}:sweep` }, { task: 'prune', match: '23 * * * *', identifier: `${CORE}:prune` }, { task: 'unfinished', match: '41 2 * * *', identifier: `${CORE}:unfinished` }]
  return [...own, ...jobs]
}

const names = ({ registry }: Services) => [CORE, ...registry.modules.map(module => module.name)]

function toGraphileLogger({ log }: Services) {
  return new GraphileLogger(scope => (level, message, meta) => {
    if (level === 'error') log.error('worker', { message, task: scope.taskIdentifier, error: meta?.error })
    else if (level === 'warning') log.warn('worker', { message, task: scope.taskIdentifier })
    else log.debug('worker', { message })
  })
}
