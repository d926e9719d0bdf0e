import { drizzle } from 'drizzle-orm/postgres-js'
import type { Db } from '@svc/kit'
import { openConnection, type Connection, type ConnectOptions, type DatabaseSettings } from './connection.ts'
import { createNotifier } from './notices.ts'

export interface Database extends Connection {
  db: Db
  /** Uses the connections for reads, for transactions whose commit need not wait for a standby. */
  reads_db: Db
}

/** Without `database_url`, makes sure that the embedded server is running. Throws DatabaseError. */
export async function openDatabase(config: DatabaseSettings, options: ConnectOptions = {}): Promise<Database> {
  const connection = await openConnection(config, options)
  const { reads, commits } = connection.pools
  const notifier = createNotifier(reads)
  const reads_db = drizzle(reads) as Db
  drizzle(commits) // sets how the client reads and writes instants
  const db = drizzle(connection.sql) as Db
  const transaction = db.transaction.bind(db)
  const onReads = reads_db.transaction.bind(reads_db)
  reads_db.transaction = (run, config) => notifier.notifyAfter(run, work => onReads(work, config))
  db.transaction = (run, config) =>
    config?.accessMode === 'read only' ? onReads(run, config) : notifier.notifyAfter(run, work => transaction(work, config))
  return { ...connection, db, reads_db }
}
