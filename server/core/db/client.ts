import { drizzle } from 'drizzle-orm/postgres-js'
import type { Db } from '@svc/kit'
import type { Sql } from 'postgres'
import { openConnection, type Connection, type ConnectOptions, type DatabaseSettings } from './connection.ts'

export interface Database extends Connection { db: Db }

/** Without `database_url` makes sure that the embedded server runs. Throws DatabaseError. */
export async function openDatabase(config: DatabaseSettings, options: ConnectOptions = {}): Promise<Database> {
  const connection = await openConnection(config, options)
  return { ...connection, db: drizzle(preparing(connection.sql)) as Db }
}

/** Statements with more come from lists of any length: each length would stay behind on each connection. */
const MOST_PARAMETERS = 40

/**
 * How rare the words of a full text search are decides whether to look them up or to walk the order that is asked for.
 * A plan that is kept for all words does not know. Such a statement is recognised by this text, spaces and all.
 */
const MATCHES_WORDS = ' @@ '

type Run = (sql: Sql) => unknown

/**
 * Drizzle prepares only on request: any other statement costs a round trip to ask for its types before the one
 * that runs it, and PostgreSQL parses and plans it anew each time. Here they are prepared, once a connection.
 */
function preparing(sql: Sql): Sql {
  return new Proxy(sql, {
    get(target, name) {
      if (name === 'unsafe') {
        return (text: string, parameters: never[] = []) =>
          target.unsafe(text, parameters, { prepare: canKeepPlan(text, parameters) })
      }
      if (name === 'begin' || name === 'savepoint') {
        const open = Reflect.get(target, name) as (run: Run) => unknown
        return (run: Run) => open(tx => run(preparing(tx)))
      }
      return Reflect.get(target, name)
    }
  })
}

const canKeepPlan = (text: string, parameters: unknown[]) =>
  parameters.length <= MOST_PARAMETERS && !text.includes(MATCHES_WORDS)
