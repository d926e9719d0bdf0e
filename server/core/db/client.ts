import { drizzle } from 'drizzle-orm/postgres-js'
import type { Db } from '@svc/kit'
import { openConnection, type Connection, type ConnectOptions, type DatabaseSettings } from './connection.ts'

export interface Database extends Connection {
  db: Db
  /** Uses the connections for reads, for transactions whose commit need not wait for a standby. */
  reads_db: Db
}

/** Without `database_url`, makes sure that the embedded server is running. Throws DatabaseError. */
export async function openDatabase(config: DatabaseSettings, options: ConnectOptions = {}): Promise<Database> {
  const connection = await openConnection(config, options)
  const { reads, commits } = connection.pools
  const reads_db = drizzle(reads) as Db
  drizzle(commits) // sets how the client reads and writes instants
  const db = drizzle(connection.sql) as Db
  const transaction = db.transaction.bind(db)
  db.transaction = (run, config) =>
    config?.accessMode === 'read only' ? reads_db.transaction(run, config) : transaction(run, config)
  return { ...connection, db, reads_db }
}
