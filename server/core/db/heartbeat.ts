import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Logger } from '@svc/kit'
import type { Connection } from './connection.ts'
import { createOpenSockets, type OpenSockets } from '@svc/postgres-sockets/open-sockets.ts'

const EVERY_MS = 1000
/** Healthy servers answer sooner. After this time, the probe also checks which connections still receive data. */
const SLOW_MS = 1000
/**
 * If a connection gets no answer for this much longer, it is replaced. If the next one gets none for as long, the
 * database is lost.
 */
const LOST_AFTER_MS = 4000
/** The timeout of `answers()`. */
const ANSWER_MS = 2000
const TICK_MS = 250

export interface Heartbeat {
  /** While the database is lost, no socket to it is open and none is opened, so that every statement fails at once. */
  isLost(): boolean
  /** Resolves when the database is lost or back, or when the heartbeat stops. */
  change(): Promise<void>
  /** Whether the database answers within two seconds and accepts writes. */
  answers(): Promise<boolean>
  stop(): Promise<void>
}

type Watched = Pick<Connection, 'connect' | 'sockets' | 'ensureServer'>

/**
 * A connection can be dead without any error until TCP times out after a quarter of an hour. So a separate connection
 * sends a query each second. If it gets no answer in time, all sockets are closed, including those in use. Waiting
 * requests fail with a 503, and everything recovers with the first answer. A server that accepts no writes counts as
 * lost too: behind a proxy, it may be the standby before its promotion.
 */
export function startHeartbeat(database: Watched, log: Logger): Heartbeat {
  const own = createOpenSockets()
  const sql = database.connect({ max: 1, name: 'heartbeat', sockets: own })
  const stopping = new AbortController()
  let lostAt: number | null = null
  let server: string | null = null
  let startFailure: string | null = null
  const change = createSignal()
  const probe = createProbe({ sql, own, database, log })

  async function watch() {
    while (!stopping.signal.aborted) {
      if (lostAt !== null) await ensureServer()
      const answer = lostAt === null ? await probe.beat() : await probe.probeOnNewConnection()
      if (stopping.signal.aborted) return
      if (answer.state === 'up') markUp(answer.server)
      else if (lostAt === null) {
        markLost(answer.state)
        continue
      }
      await pause(EVERY_MS, null, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  /** The embedded server dies with a `kill -9` or when memory runs out, and nothing else restarts it. */
  async function ensureServer() {
    await database.ensureServer().catch((error: Error) => {
      if (error.message !== startFailure) log.error('database.start_failed', { reason: error.message })
      startFailure = error.message
    })
  }

  function markLost(reason: 'silent' | 'read_only') {
    lostAt = performance.now()
    database.sockets.destroyAll()
    log.error('database.lost', { reason })
    change.notify()
  }

  function markUp(current: string | null) {
    if (lostAt !== null) markBack(lostAt)
    else if (server && current && server !== current) leaveFormerServer()
    server = current ?? server
  }

  function markBack(since: number) {
    lostAt = null
    startFailure = null
    database.sockets.rejoin()
    log.warn('database.back', { seconds: Math.round((performance.now() - since) / 1000) })
    change.notify()
  }

  /**
   * Open connections may lead to the former server, which no longer accepts writes, or accepts writes that nobody else
   * sees.
   */
  function leaveFormerServer() {
    database.sockets.renew()
    log.warn('database.server_changed', {})
  }

  const watching = watch()
  return {
    isLost: () => lostAt !== null,
    change: change.next,
    answers: async () => lostAt === null && (await within(ANSWER_MS, probe.ask())).state === 'up',
    async stop() {
      stopping.abort()
      own.destroyAll()
      await sql.end({ timeout: 0 })
      await watching
      change.notify()
    }
  }
}

/** `server` is null if the server refuses for the moment: "too many connections" is an answer too. */
type Answer = { state: 'up', server: string | null } | { state: 'silent' | 'read_only' }
type TimedAnswer = Answer | { state: 'late' }
interface Probed { sql: Sql, own: OpenSockets, database: Watched, log: Logger }

function createProbe({ sql, own, database, log }: Probed) {
  const ask = (): Promise<Answer> => sql<{ is_read_only: boolean, server: string }[]>`
    select current_setting('transaction_read_only')::bool as is_read_only, pg_postmaster_start_time()::text as server`
    .then(([row]): Answer => row!.is_read_only ? { state: 'read_only' } : { state: 'up', server: row!.server }, ofError)

  /** A query fails on a connection that has just ended. That proves nothing about the next connection. */
  async function askAtMost(times: number): Promise<Answer> {
    const answer = await ask()
    if (answer.state !== 'silent' || times === 1) return answer
    await pause(TICK_MS, null, { ref: false })
    return await askAtMost(times - 1)
  }

  /**
   * Sends the next query over a new connection: behind a proxy, the old one may stay with a standby while another
   * server is promoted.
   */
  async function probeOnNewConnection(): Promise<Answer> {
    const answer = await within(LOST_AFTER_MS, askAtMost(4))
    if (answer.state !== 'up') own.renew()
    return answer.state === 'late' ? { state: 'silent' } : answer
  }

  /**
   * If the heartbeat's own connection gets no answer, that proves nothing about the others. It is closed, and the next
   * query opens a new one. If that one gets an answer, something on the network path dropped connections, and all those
   * without answers are closed.
   */
  async function beat(): Promise<Answer> {
    const asked = askAtMost(2)
    let answer = await within(SLOW_MS, asked)
    const heard = answer.state === 'late' ? database.sockets.heard() : null
    if (answer.state === 'late') answer = await within(LOST_AFTER_MS, asked)
    if (answer.state === 'up' || answer.state === 'silent') return answer
    own.renew()
    const next = await probeOnNewConnection()
    if (answer.state === 'late' && next.state === 'up')
      log.warn('database.silent', { connections: database.sockets.destroySilent(heard!) })
    return next
  }

  return { ask, beat, probeOnNewConnection }
}

/** Any error from the server counts as an answer, unless the server is starting or shutting down. */
function ofError(error: unknown): Answer {
  const { name, code } = error as { name?: string, code?: string }
  if (code === 'database_read_only') return { state: 'read_only' } // none of several hosts accepts writes
  const isRefusal = name === 'PostgresError' && !code?.startsWith('57P') // 57P: the server is starting or shutting down
  return isRefusal ? { state: 'up', server: null } : { state: 'silent' }
}

function createSignal(): { next(): Promise<void>, notify(): void } {
  let waiting = Promise.withResolvers<undefined>()
  return {
    next: () => waiting.promise,
    notify() {
      waiting.resolve(undefined)
      waiting = Promise.withResolvers()
    }
  }
}

/** Time is counted in turns of this process's event loop: a process that was itself suspended has missed no answer. */
async function within(ms: number, answer: Promise<Answer>): Promise<TimedAnswer> {
  for (let waited = 0; waited < ms; waited += TICK_MS) {
    const first = await Promise.race([answer, pause(TICK_MS, { state: 'late' as const }, { ref: false })])
    if (first.state !== 'late') return first
  }
  return { state: 'late' }
}
