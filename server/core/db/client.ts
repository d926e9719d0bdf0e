import { drizzle } from 'drizzle-orm/postgres-js'
import type { Db } from '@svc/kit'
import { openConnection, type Connection, type ConnectOptions, type DatabaseSettings } from './connection.ts'

export interface Database extends Connection { db: Db }

/** Without `database_url` makes sure that the embedded server runs. Throws DatabaseError. */
export async function openDatabase(config: DatabaseSettings, options: ConnectOptions = {}): Promise<Database> {
  const connection = await openConnection(config, options)
  return { ...connection, db: drizzle(connection.sql) as Db }
}
