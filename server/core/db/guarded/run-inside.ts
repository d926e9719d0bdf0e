import { PgDialect } from 'drizzle-orm/pg-core'
import { PostgresJsSession, PostgresJsTransaction } from 'drizzle-orm/postgres-js'
import type { Sql, TransactionSql } from 'postgres'
import type { Db, Tx } from '@svc/kit'
import { clientOf } from '../lock.ts'
import { watchStatements } from './watch-statements.ts'

/** Ends the transaction, which belongs to someone else. */
const ENDS = /^\s*(?:commit|end|rollback|abort|prepare\s+transaction)\b/i
const dialect = new PgDialect()

/** Drizzle over a transaction of postgres.js, whose types it does not export. */
export function transactionOver(client: TransactionSql): Tx {
  const session = new PostgresJsSession(client as never, dialect, undefined)
  return new PostgresJsTransaction(dialect, session as never, undefined) as unknown as Tx
}

export interface Inner {
  tx: Tx
  /** Of drizzle and of postgres.js, both in the transaction. */
  connection: { db: Db, sql: Sql }
}

/**
 * Runs foreign code in a savepoint of the transaction, with at most `ms` milliseconds for each of its statements. After
 * its end it can send no more statements: they would run in the next work on that connection. Throws if one of its
 * statements has failed, also if `run` has caught the error.
 */
export async function runInside<T>(
  outer: Tx | TransactionSql,
  ms: number,
  run: (inner: Inner) => Promise<T>
): Promise<T> {
  const client = typeof outer === 'function' ? outer : clientOf(outer)
  return await client.savepoint(async (savepoint) => {
    const [row] = await savepoint<{ was: string }[]>`
      with before as materialized (select current_setting('statement_timeout') as was)
      select was, set_config('statement_timeout', ${String(ms)}::text, true) from before`
    let isOver = false
    const sql = watchStatements(savepoint, (text) => {
      if (isOver) throw new Error('its transaction has ended')
      if (ENDS.test(text)) throw new Error('its transaction belongs to the caller')
    })
    const tx = transactionOver(sql)
    const connection = { db: tx as unknown as Db, sql: sql as unknown as Sql }
    const result = await run({ tx, connection }).finally(() => {
      isOver = true
    })
    await savepoint`select set_config('statement_timeout', ${row!.was}::text, true)`
    return result
  }) as T
}
