import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Logger } from '@svc/kit'
import type { Connection } from './connection.ts'
import { createOpenSockets } from './open-sockets.ts'

const EVERY_MS = 1000
/** Any answer comes sooner; from then on it counts who says something. */
const SLOW_MS = 1000
/** Who has not answered `select 1` for so long after that is asked on a new connection, and is lost when that has no answer for as long. */
const PATIENCE_MS = 4000
/** For those who only want to know. */
const ANSWER_MS = 2000
const TICK_MS = 250

export interface Pulse {
  /** While it is lost no socket to the database stands and none is opened: every statement fails at once. */
  isLost(): boolean
  /** Resolves when it is lost or back, or when nobody looks any more. */
  change(): Promise<void>
  /** Whether the database answers now; within two seconds. */
  answers(): Promise<boolean>
  stop(): Promise<void>
}

/**
 * A connection can be dead without a word: nobody refuses and nobody answers, until TCP gives up after a quarter of an
 * hour. So a connection of its own asks each second, and when it is not answered in time all sockets are ended, those
 * in use too; whoever waits gets an error, which is a 503, and with the first answer everything goes on by itself.
 */
export function startPulse(database: Pick<Connection, 'connect' | 'sockets'>, log: Logger): Pulse {
  const own = createOpenSockets()
  const sql = database.connect({ max: 1, name: 'pulse', sockets: own })
  const stopping = new AbortController()
  let lostAt: number | null = null
  const change = createSignal()
  const { ask, askAtMost } = questionsBy(sql)

  /**
   * A connection of one's own that fell silent says nothing for sure about the others: it is ended, and the next question makes
   * a new one. When that is answered, something between here and there forgot connections: the silent ones end.
   */
  async function beat(): Promise<boolean> {
    if (lostAt !== null) return await askAnew()
    const asked = askAtMost(2)
    let answer = await within(SLOW_MS, asked)
    if (answer !== 'late') return answer === 'yes'
    const heard = database.sockets.heard()
    answer = await within(PATIENCE_MS, asked)
    if (answer !== 'late') return answer === 'yes'
    own.renew()
    const isThere = await askAnew()
    if (isThere) log.warn('database.silent', { connections: database.sockets.cutSilent(heard) })
    return isThere
  }

  async function askAnew(): Promise<boolean> {
    const answer = await within(PATIENCE_MS, askAtMost(4))
    if (answer === 'late') own.renew()
    return answer === 'yes'
  }

  async function watch() {
    while (!stopping.signal.aborted) {
      const isThere = await beat()
      if (stopping.signal.aborted) return
      if (!isThere && lostAt === null) markLost()
      if (isThere && lostAt !== null) markBack(lostAt)
      await pause(EVERY_MS, null, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  function markLost() {
    lostAt = performance.now()
    database.sockets.cut()
    log.error('database.lost', {})
    change.tell()
  }

  function markBack(since: number) {
    lostAt = null
    database.sockets.rejoin()
    log.warn('database.back', { seconds: Math.round((performance.now() - since) / 1000) })
    change.tell()
  }

  const watching = watch()
  return {
    isLost: () => lostAt !== null,
    change: change.next,
    answers: async () => lostAt === null && await within(ANSWER_MS, ask()) === 'yes',
    async stop() {
      stopping.abort()
      own.cut()
      await sql.end({ timeout: 0 })
      await watching
      change.tell()
    }
  }
}

function questionsBy(sql: Sql) {
  /** Anything that the server says is an answer, but that it is coming or going. */
  const ask = () => sql`select 1`.then(() => 'yes' as const, error => isRefusal(error) ? 'yes' : 'no')

  /** A connection that has just ended fails what is asked on it, which says nothing about the next one. */
  async function askAtMost(times: number): Promise<'yes' | 'no'> {
    if (await ask() === 'yes') return 'yes'
    if (times === 1) return 'no'
    await pause(TICK_MS, null, { ref: false })
    return await askAtMost(times - 1)
  }

  return { ask, askAtMost }
}

function createSignal(): { next(): Promise<void>, tell(): void } {
  let waiting = Promise.withResolvers<undefined>()
  return {
    next: () => waiting.promise,
    tell() {
      waiting.resolve(undefined)
      waiting = Promise.withResolvers()
    }
  }
}

/** Time is counted in turns of this process: one that stood still itself has missed no answer. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | 'late'> {
  for (let waited = 0; waited < ms; waited += TICK_MS) {
    const first = await Promise.race([answer, pause(TICK_MS, 'late' as const, { ref: false })])
    if (first !== 'late') return first
  }
  return 'late'
}

/** `too many connections` and its like; 57P is a server that starts or ends. */
function isRefusal(error: unknown): boolean {
  const { name, code } = error as { name?: string, code?: string }
  return name === 'PostgresError' && !code?.startsWith('57P')
}
