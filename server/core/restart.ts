import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@svc/kit'
import type { Sql } from 'postgres'
import type { Database } from './db/client.ts'
import { createListener } from './db/listener.ts'

/** The two keys of the advisory lock that the restarting instance holds: "svc" and "next". */
const CLASS = 0x737663
const OBJECT = 0x6E657874
const CHANNEL = 'svc_restart'
const TURN_TIMEOUT_MS = 600_000
const LEAVE_TIMEOUT_MS = 5_000
const POLL_INTERVAL_MS = 15_000

interface Restarting {
  database: Database
  boot_id: string
  log: Logger
  /** Ends this process like SIGTERM; the supervisor or orchestrator starts it again. */
  stop: () => void
}

export interface Restarts {
  /** Restarts every instance that is ready now, one after the other. Resolves when all have been notified. */
  request (): Promise<void>
  close (): Promise<void>
}

/**
 * An instance is ready as long as its listening connection, whose name contains its boot id, is open. The instance with
 * the lock waits until as many are ready as at the request, stores their number, and ends, which releases the lock. So
 * only one instance is down at a time, and if it does not return the others keep running.
 */
export async function createRestarts(restarting: Restarting): Promise<Restarts> {
  const { database, boot_id, log } = restarting
  const sql = database.connect({ max: 1, name: 'restart' })
  const closing = new AbortController()
  const onNotice = (payload: string) => hear(JSON.parse(payload) as string[])
  const listener = createListener(database, sql, { name: `ready:${boot_id}`, channel: CHANNEL, onNotice, ask_every_ms: 0 })
  await listener.ensure()
  let turn: Promise<void> | null = null
  // The next check tries again.
  const looking = setInterval(() => void listenAgain().catch(() => {}), POLL_INTERVAL_MS).unref()

  /** Not while it restarts: the connection is what others count as ready. */
  async function listenAgain() {
    if (!turn) await listener.ensure()
  }

  function hear(ids: string[]) {
    if (!ids.includes(boot_id)) return
    turn ??= restartInTurn(restarting, {
      sql,
      instances: ids.length,
      leave: listener.stop,
      signal: closing.signal
    }).catch(async (error: unknown) => {
      turn = null
      await sql`select pg_advisory_unlock_all()`.catch(() => {}) // otherwise released with the connection
      if (!closing.signal.aborted) log.error('restart.failed', { error })
    })
  }

  return {
    async request() {
      await listenAgain()
      const ids = [...new Set([boot_id, ...(await readyInstances(sql))])]
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(ids)})`
      hear(ids) // even if its own connection is down right now
    },
    async close() {
      clearInterval(looking)
      closing.abort()
      await Promise.all([listener.stop(), sql.end({ timeout: 1 })])
    }
  }
}

interface Turn {
  sql: Sql
  /** How many were ready when the restart was requested. */ instances: number
  leave: () => Promise<void>
  signal: AbortSignal
}

async function restartInTurn(
  { boot_id, log, stop }: Restarting,
  { sql, instances, leave, signal }: Turn
): Promise<void> {
  const isMine = async () => {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${CLASS}::int, ${OBJECT}::int) as taken`
    return row!.taken
  }
  // This one is running, even while its own listening connection is being renewed.
  const areAllBack = async () => new Set([boot_id, ...await readyInstances(sql)]).size >= instances
  if (!await happens(isMine, TURN_TIMEOUT_MS, signal) || !await happens(areAllBack, TURN_TIMEOUT_MS, signal)) {
    throw new Error('another instance did not restart; this one continues')
  }
  log.info('restart.turn', { boot_id, instances })
  await leave()
  // A connection that the driver was just renewing closes with the process, a moment later.
  await happens(async () => !(await readyInstances(sql)).includes(boot_id), LEAVE_TIMEOUT_MS, signal)
  stop()
}

/** False if it did not happen in time. */
async function happens(ask: () => Promise<boolean>, limit_ms: number, signal: AbortSignal): Promise<boolean> {
  const limit = performance.now() + limit_ms
  while (!await ask()) {
    if (performance.now() > limit) return false
    await sleep(50, undefined, { signal })
  }
  return true
}

/** Boot ids. All instances use one role, so they see each other's names. */
async function readyInstances(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct substr(application_name, length('svc:ready:') + 1) as id from pg_stat_activity
    where datname = current_database() and application_name like 'svc:ready:%'`
  return rows.map(({ id }) => id)
}
