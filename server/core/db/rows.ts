import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { AnyTx, Db } from '@svc/kit'
import type { Sql } from 'postgres'

const dialect = new PgDialect()

/**
 * Runs one statement on the caller's client: drizzle's pool or transaction, or postgres.js's. Only text, number,
 * boolean and jsonb are read the same on both: cast instants and bigints in the statement, and pass JSON as
 * `${JSON.stringify(x)}::text::jsonb` (postgres.js would encode a jsonb parameter a second time).
 */
export async function rowsOf<Row>(tx: AnyTx, query: SQL): Promise<Row[]> {
  if (!isPostgresJs(tx)) return await (tx as Db).execute(query) as unknown as Row[]
  return await send(tx, query, false)
}

/**
 * The same for a statement with constant text that runs with almost every request: each connection parses and plans it
 * once, and it takes one round trip instead of two.
 */
export const preparedRowsOf = <Row>(client: Sql, query: SQL): Promise<Row[]> => send(client, query, true)

async function send<Row>(client: Sql, query: SQL, prepare: boolean): Promise<Row[]> {
  const { sql, params } = dialect.sqlToQuery(query)
  return await client.unsafe(sql, params as never[], { prepare }) as unknown as Row[]
}

const isPostgresJs = (tx: AnyTx): tx is Sql => typeof tx === 'function'
