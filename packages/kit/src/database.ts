import type { Sql, TransactionSql } from 'postgres'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'

/** Drizzle over postgres.js. The pool and a transaction have the same query surface. */
export type Db = PostgresJsDatabase<Record<string, never>>
/** What `db.transaction(async (tx) => …)` passes in. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** A connection that facts can be written through: a drizzle transaction, or postgres.js's (`sql.begin`). */
export type AnyTx = Tx | Db | TransactionSql | Sql

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }
