import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@svc/kit'
import type { Connection } from './connection.ts'
import { createOpenSockets } from './open-sockets.ts'

const EVERY_MS = 1000
/** A database that has not answered `select 1` for so long is taken for lost. */
const PATIENCE_MS = 8000
/** The same for one that is lost already. */
const PATIENCE_WHILE_LOST_MS = 4000
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

  async function beat(patience_ms: number): Promise<boolean> {
    // A connection of one's own that was ended says nothing about the others: the second question makes a new one.
    const answer = await within(patience_ms, ask().then(first => first === 'yes' ? first : ask()))
    if (answer === 'late') {
      own.cut()
      own.rejoin()
    }
    return answer === 'yes'
  }

  /** Anything that the server says is an answer, but that it is coming or going. */
  const ask = () => sql`select 1`.then(() => 'yes' as const, error => isRefusal(error) ? 'yes' : 'no')

  async function watch() {
    while (!stopping.signal.aborted) {
      const is_there = await beat(lostAt === null ? PATIENCE_MS : PATIENCE_WHILE_LOST_MS)
      if (stopping.signal.aborted) return
      if (!is_there && lostAt === null) lose()
      if (is_there && lostAt !== null) find(lostAt)
      await pause(EVERY_MS, null, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  function lose() {
    lostAt = performance.now()
    database.sockets.cut()
    log.error('database.lost', {})
    change.tell()
  }

  function find(since: number) {
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
