import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql, TransactionSql } from 'postgres'
import { problem, type Db } from '@svc/kit'
import type { Database } from './client.ts'
import { refuseTransactionPooler } from './pooler.ts'

/** The two keys of one advisory lock: "svc" and "boot". */
const CLASS = 0x737663
const OBJECT = 0x626F6F74
/** Longer than a start without operations takes. */
const REPORT_AFTER_MS = 5000

export interface StepTx { db: Db, sql: TransactionSql }

export interface BootLock {
  /**
   * One transaction on the connection that holds the lock. It first verifies that it still does, so that a process that
   * has lost the lock cannot commit a late step. Throws LockLostError.
   */
  step<T>(run: (tx: StepTx) => Promise<T>): Promise<T>
  release(): Promise<void>
}

export class LockLostError extends Error {
  constructor() {
    super('the boot lock was lost: its connection broke')
    this.name = 'LockLostError'
  }
}

interface Waiting {
  signal?: AbortSignal
  /** Called with a sentence after `report_after_ms` of waiting, and again whenever the holder changes after that. */
  onWait?: (reason: string) => void
  report_after_ms?: number
}

/**
 * Waits until this process is the only one that migrates and installs. It polls, because a blocked statement would hold
 * a snapshot that gets in the way of the other process. Throws ConfigError behind a transaction pooler.
 */
export async function takeBootLock(database: Database, waiting: Waiting = {}): Promise<BootLock> {
  await refuseTransactionPooler(database)
  const sql = database.connect({ max: 1, name: 'boot' })
  const db = drizzle(sql) as Db
  try {
    await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false), set_config('idle_session_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false)`
    await untilTaken(sql, waiting)
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw error
  }

  return {
    step: run => db.transaction(async (tx) => {
      const client = clientOf(tx)
      const held = await client`
        select 1 from pg_locks
        where locktype = 'advisory' and classid = ${CLASS}::int::oid and objid = ${OBJECT}::int::oid and objsubid = 2
          and pid = pg_backend_pid() and database = (select oid from pg_database where datname = current_database()) and granted`
      if (held.length === 0) throw new LockLostError()
      return run({ db: tx as unknown as Db, sql: client })
    }),
    // The lock is released when the connection ends, even if it breaks.
    release: () => sql.end({ timeout: 1 })
  }
}

async function untilTaken(
  sql: Sql,
  { signal, onWait = () => {}, report_after_ms = REPORT_AFTER_MS }: Waiting
): Promise<void> {
  let asked = performance.now()
  let said = ''
  for (;;) {
    signal?.throwIfAborted()
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${CLASS}::int, ${OBJECT}::int) as taken`
    if (row!.taken) return
    await sleep(100, undefined, { signal })
    if (performance.now() - asked < report_after_ms) continue
    asked = performance.now()
    const reason = await findHolder(sql)
    if (reason !== null && reason !== said) onWait(said = reason)
  }
}

/** Null if the lock has just been released. */
async function findHolder(sql: Sql): Promise<string | null> {
  const [holder] = await sql<{ pid: number, name: string | null, address: string | null }[]>`
    select pid, application_name as name, host(client_addr) as address
    from pg_locks left join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid = ${CLASS}::int::oid and objid = ${OBJECT}::int::oid and objsubid = 2
      and database = (select oid from pg_database where datname = current_database()) and granted`
  if (!holder) return null
  const who = [holder.name, holder.address && `from ${holder.address}`].filter(Boolean).join(' ')
  return `waiting for the boot lock, held by pid ${holder.pid}${who ? ` (${who})` : ''}`
}

/**
 * One transaction that no boot overlaps, for commands that change what a boot reads. Throws the problem `modules_busy`
 * if an instance holds the lock longer than `wait_ms`.
 */
export async function shareBootLock<T>(sql: Sql, wait_ms: number, run: (tx: TransactionSql) => Promise<T>): Promise<T> {
  const until = performance.now() + wait_ms
  for (;;) {
    const done = await sql.begin(async (tx) => {
      const [row] = await tx<
        { taken: boolean }[]
      >`select pg_try_advisory_xact_lock(${CLASS}::int, ${OBJECT}::int) as taken`
      return row!.taken ? { value: await run(tx) } : null
    })
    if (done) return done.value as T
    if (performance.now() > until) throw busy()
    await sleep(100)
  }
}

const busy = () =>
  problem('modules_busy', { detail: 'An instance is processing modules right now. Try again when it is ready.' })

/** The same for code that runs modules' hooks: both clients use the transaction's connection. */
export async function stepBesideBoot<T>(db: Db, wait_ms: number, run: (tx: StepTx) => Promise<T>): Promise<T> {
  const until = performance.now() + wait_ms
  for (;;) {
    const done = await db.transaction(async (tx) => {
      const client = clientOf(tx)
      const [row] = await client<
        { taken: boolean }[]
      >`select pg_try_advisory_xact_lock(${CLASS}::int, ${OBJECT}::int) as taken`
      return row!.taken ? { value: await run({ db: tx as unknown as Db, sql: client }) } : null
    })
    if (done) return done.value
    if (performance.now() > until) throw busy()
    await sleep(100)
  }
}

/** Drizzle hides the transaction's postgres.js client. Modules' hooks get both clients on one connection. */
export function clientOf(tx: unknown): TransactionSql {
  return (tx as { session: { client: TransactionSql } }).session.client
}
