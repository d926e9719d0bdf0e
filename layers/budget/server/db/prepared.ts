import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'

/**
 * Builds a drizzle statement once for each connection pool, because building its text costs more than sending it.
 * `candidates` is the number of values that a look-up compares, which is constant for the life of a process; omitted if
 * nothing is looked up. A transaction builds its own.
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
 * For the RETURNING of a single statement: its commit does not wait for a synchronous standby. A failover may lose it,
 * such as the last use of a session or the count of a wrong code. Not inside a transaction, where it would apply to
 * everything that commits with it; use `ctx.localTransaction` there.
 */
export const WITHOUT_STANDBY = sql`set_config('synchronous_commit', 'local', true)`

/**
 * For the WHERE of such a statement, always true: it fails (503 `busy`) on a row that stays locked for eight seconds,
 * like `ctx.localTransaction`, since a decision that waits for a standby may hold the lock. The server evaluates it
 * once, before it searches the row. It is part of the statement, because poolers refuse settings of a connection.
 */
export const WITH_LOCK_TIMEOUT = sql`(select set_config('lock_timeout', '8s', true)) is not null`
