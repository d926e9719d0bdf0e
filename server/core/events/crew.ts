import { EventEmitter } from 'node:events'
import type { Logger as GraphileLogger, TaskList, WorkerEvents } from 'graphile-worker'
import type { Pool, PoolConfig } from 'pg'
import type { Logger } from '@svc/kit'

export interface Crew {
  /** Whether its first query had an answer. */
  hasAsked(): boolean
  /** Settles, never rejects, when it works no more: told to stop, or given up by the library. */
  ended: Promise<void>
  /** Lets running handlers finish; `ended` tells when. */
  stop(): void
}

interface Settings { config: PoolConfig, concurrency: number, tasks: TaskList, log: Logger }

/**
 * The job library's workers with connections of their own. With a delay, be it none, what they report goes to the
 * library's error handler, which ends the crew; without one a lost connection would be a rejection that nobody handles.
 * A crew whose first query fails ends too: the library keeps that failure for ever (`getTaskDetails`), would find no job
 * any more, and says so at the level of debugging only.
 */
export async function startCrew({ config, concurrency, tasks, log }: Settings): Promise<Crew> {
  const { Logger, runTaskList } = await import('graphile-worker')
  const pool = await openPool(config, concurrency + 2, error => log.warn('worker.connection', { error }))
  const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
  const events: WorkerEvents = new EventEmitter()
  const workers = runTaskList({ concurrency, noHandleSignals: true, logger: toGraphileLogger(Logger, log), preset, events }, tasks, pool)
  let isStopping = false
  let hasAsked = false
  let hasFailed = false

  function stop() {
    if (isStopping) return
    isStopping = true
    void Promise.resolve(workers.gracefulShutdown()).catch((error: unknown) => log.warn('worker.stop', { error }))
  }

  for (const answer of ['worker:getJob:empty', 'job:start'] as const) {
    events.once(answer, () => {
      hasAsked = true
    })
  }
  events.on('worker:getJob:error', ({ error }) => {
    if (hasAsked || hasFailed) return // it asks again by itself
    hasFailed = true
    log.warn('worker.no_answer', { error })
    setImmediate(() => hasAsked || stop()) // when the worker has set its next try: before that its stop would be a failure
  })

  const ended = workers.promise.then(() => {}, (error: unknown) => log.warn('worker.stopped', { error })).finally(() => {
    isStopping = true
    void pool.end()
  })
  return { hasAsked: () => hasAsked, ended, stop }
}

/** An error on an idle connection nobody listens to would end the process. */
export async function openPool(config: PoolConfig, max: number, onError: (error: Error) => void): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ ...config, max })
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  return pool
}

function toGraphileLogger(Graphile: typeof GraphileLogger, log: Logger) {
  return new Graphile(scope => (level, message, meta) => {
    if (level === 'error') log.error('worker', { message, task: scope.taskIdentifier, error: meta?.error })
    else if (level === 'warning') log.warn('worker', { message, task: scope.taskIdentifier })
    else log.debug('worker', { message })
  })
}
