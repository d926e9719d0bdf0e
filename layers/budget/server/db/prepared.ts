import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'

/**
 * Builds a drizzle statement once for each connection pool: putting its text together costs more than sending it.
 * `candidates` is how many values it compares a look-up with, which is the same for the whole life of a process; none
 * where nothing is looked up. A transaction has its own.
 */
export function prepared<Statement>(
  build: (db: Db, candidates: number) => Statement
): (db: Db | Tx, candidates?: number) => Statement {
  const known = new WeakMap<Db | Tx, Map<number, Statement>>()
  return (db, candidates = 0) => {
    const ofPool = known.get(db) ?? new Map<number, Statement>()
    const statement = ofPool.get(candidates) ?? build(db as Db, candidates)
    known.set(db, ofPool.set(candidates, statement))
    return statement
  }
}

/**
 * For the RETURNING of a statement that runs alone: its commit waits for no synchronous standby. A failover may lose
 * it, as a touch of a session or the count of a wrong code. Not inside of a transaction, where it would count for all
 * that commits with it: that is `ctx.localTransaction`.
 */
export const WITHOUT_STANDBY = sql`set_config('synchronous_commit', 'local', true)`

/**
 * For the WHERE of such a statement, always true: it gives up (503 `busy`) on a row that stays locked for eight
 * seconds, as `ctx.localTransaction` does, since a decision that waits for a standby may hold it. The server computes
 * it once, before it looks for the row. In the statement, since poolers refuse settings of a connection.
 */
export const WITH_LOCK_TIMEOUT = sql`(select set_config('lock_timeout', '8s', true)) is not null`
