import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger as GraphileLogger, TaskList, WorkerEvents } from 'graphile-worker'
import type { PoolConfig } from 'pg'
import type { Logger } from '@svc/kit'
import type { Activity } from '../types.ts'
import { openJobPool } from './job-pool.ts'

export interface Workers {
  /** Whether their first query got an answer. */
  hasAsked(): boolean
  /** Settles when they take no more jobs: after `stop`, or when the library ends them. */
  ending: Promise<void>
  /** Settles, and never rejects, when all their handlers have finished, at the latest nine seconds after `ending`. */
  ended: Promise<void>
  /** Lets running handlers finish. */
  stop(): void
}

interface Settings { config: PoolConfig, concurrency: number, tasks: TaskList, log: Logger, activity: Activity }

/**
 * For handlers that are still running when their workers end. A second less than a whole stop may take
 * (`server/entry.ts`).
 */
export const DRAIN_MS = 9000
const LATE = 'late'

/**
 * The job library's workers, with connections of their own. With a delay, even of 0, failed reports go to the library's
 * error handler, which ends the workers; without one a lost connection would be an unhandled rejection.
 *
 * If several such reports fail, the library never ends (docs/upstream/graphile-worker-batch.md). So after a deadline
 * the connections are closed by force.
 *
 * Workers whose first query fails end too: the library keeps that failure for ever (`getTaskDetails`), would find no
 * more jobs, and logs it only at level debug.
 */
export async function startWorkers({ config, concurrency, tasks, log, activity }: Settings): Promise<Workers> {
  const { Logger, runTaskList } = await import('graphile-worker')
  const onError = (error: Error) => log.warn('worker.connection', { error })
  const { pool, destroy } = await openJobPool(config, concurrency + 2, onError)
  const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
  const events: WorkerEvents = new EventEmitter()
  const logger = toGraphileLogger(Logger, log)
  const asked = watchQuestions(events, { log, stop })
  const shutdown = once(events, 'pool:gracefulShutdown')
  const workers = runTaskList({ concurrency, noHandleSignals: true, logger, preset, events }, tasks, pool)
  const forget = activity.follow(events, concurrency)
  let isEnding = false

  function stop() {
    if (isEnding) return
    void Promise.resolve(workers.gracefulShutdown()).catch((error: unknown) => log.warn('worker.stop', { error }))
  }

  const settled = workers.promise.then(() => {}, (error: unknown) => log.warn('worker.stopped', { error }))
  const ending = Promise.race([shutdown, settled]).then(() => {
    isEnding = true
    forget()
  })
  const deadline = ending.then(() => pause(DRAIN_MS, LATE, { ref: false }))
  const ended = Promise.race([settled, deadline]).then((how) => {
    if (how === LATE) log.warn('worker.late', { seconds: DRAIN_MS / 1000 })
    destroy()
  })
  return { hasAsked: asked, ending, ended, stop }
}

/** Stops workers whose first query fails. */
function watchQuestions(events: WorkerEvents, { log, stop }: { log: Logger, stop(): void }): () => boolean {
  let hasAsked = false
  let hasFailed = false
  for (const answer of ['worker:getJob:empty', 'job:start'] as const) {
    events.once(answer, () => {
      hasAsked = true
    })
  }
  events.on('worker:getJob:error', ({ error }) => {
    if (hasAsked || hasFailed) return // it retries by itself
    hasFailed = true
    log.warn('worker.no_answer', { error })
    setImmediate(() => hasAsked || stop()) // after the worker has planned its next attempt: an earlier stop would fail
  })
  return () => hasAsked
}

function toGraphileLogger(Graphile: typeof GraphileLogger, log: Logger) {
  return new Graphile(scope => (level, message, meta) => {
    if (level === 'error') log.error('worker', { message, task: scope.taskIdentifier, error: meta?.error })
    else if (level === 'warning') log.warn('worker', { message, task: scope.taskIdentifier })
    else log.debug('worker', { message })
  })
}
