import type { Sql } from 'postgres'
import { readConfig, type Config } from '../server/core/config.ts'
import { openDatabase, type Database } from '../server/core/db/client.ts'

/** What `bin/svc` and the environment say. Throws ConfigError. */
export const configuration = (): Config => readConfig(process.env, process.cwd())

/** Handed to each command by `main.ts`. */
export interface CommandData { asJson: boolean }

/** Opens the database for as long as `run` takes; the embedded one is started for it when nothing runs. */
export async function withDatabase<T>(run: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = configuration()
  const database = await openDatabase(config, { max: 2, name: 'cli' })
  try {
    return await run(database, config)
  } finally {
    await database.close()
  }
}

/** The same for who only reads, with plain postgres.js. */
export async function withSql<T>(run: (sql: Sql, config: Config) => Promise<T>): Promise<T> {
  return withDatabase((database, config) => run(database.connect({ name: 'cli' }), config))
}
