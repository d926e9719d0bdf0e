import { PgDialect } from 'drizzle-orm/pg-core'
import { PostgresJsSession, PostgresJsTransaction } from 'drizzle-orm/postgres-js'
import type { Sql, TransactionSql } from 'postgres'
import type { Db, Tx } from '@svc/kit'
import { clientOf } from '../lock.ts'
import { scopedTransaction, type TransactionScope } from './transaction-scope.ts'

/** A statement that ends the caller's transaction. Among several statements, it is only noticed afterwards. */
const ENDS = /^\s*(?:commit|end|rollback|abort|prepare\s+transaction)\b/i
const dialect = new PgDialect()

function assertDoesNotEnd(statement: string): void {
  if (ENDS.test(statement)) throw new Error('its transaction belongs to the caller')
}

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
 * Runs code of a module in a savepoint of the transaction, with at most `ms` milliseconds for each of its statements.
 * After its end it can't send statements, because they would reach the next user of the connection. Throws if one of
 * its statements has failed, even if `run` has caught the error, if it ended the transaction, and if it did not wait
 * for a transaction inside.
 */
export async function runInSavepoint<T>(
  outer: Tx | TransactionSql,
  ms: number,
  run: (inner: Inner) => Promise<T>
): Promise<T> {
  const client = typeof outer === 'function' ? outer : clientOf(outer)
  return await client.savepoint(async (savepoint) => {
    const [before] = await savepoint<{ was: string, began: string }[]>`
      with before as materialized (select current_setting('statement_timeout') as was, now()::text as began)
      select was, began, set_config('statement_timeout', ${String(ms)}::text, true) from before`
    const { was, began } = before!
    const scope: TransactionScope = { isClosed: false, open_savepoints: 0, checkStatement: assertDoesNotEnd }
    const sql = scopedTransaction(savepoint, scope)
    const tx = transactionOver(sql)
    const connection = { db: tx as unknown as Db, sql: sql as unknown as Sql }
    const result = await run({ tx, connection }).finally(() => {
      scope.isClosed = true
    })
    if (scope.open_savepoints > 0) throw new Error('it did not wait for a transaction inside')
    const [after] = await savepoint<{ began: string }[]>`
      select set_config('statement_timeout', ${was}::text, true), now()::text as began`
    if (after!.began !== began) throw new Error('it ended the transaction, which belongs to the caller')
    return result
  }) as T
}
