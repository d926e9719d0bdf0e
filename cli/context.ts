import type { Sql } from 'postgres'
import { readConfig, type Config } from '../server/core/config.ts'
import type { Database } from '../server/core/db/client.ts'
import { openConnection } from '../server/core/db/connection.ts'
import type { Host } from '../server/core/host.ts'
import { checkSecretOf } from '../server/core/people/seals/used-secrets.ts'
import { hostPackages } from './output.ts'

/** The settings from `bin/svc` and the environment, without traces, which only the server sends. Throws ConfigError. */
export const configuration = (): Config => ({ ...readConfig(process.env, process.cwd()), otlp_endpoint: null })

/** Passed to each command by `main.ts`. */
export interface CommandData { asJson: boolean }

/**
 * Opens the database while `run` runs, and starts the embedded one if necessary. For commands that write: throws
 * ConfigError if the environment has another secret than the instance.
 */
export async function withDatabase<T>(run: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = configuration()
  const { openDatabase } = await import('../server/core/db/client.ts')
  const database = await openDatabase(config, { max: 2, name: 'cli' })
  try {
    await checkSecretOf(database.sql, config)
    return await run(database, config)
  } finally {
    await database.close()
  }
}

/**
 * Opens the core's host without modules, for commands that send mail. An open connection to the mail server doesn't
 * keep the command running.
 */
export async function withHost<T>(run: (host: Host) => Promise<T>): Promise<T> {
  hostPackages()
  return await withDatabase(async (_database, config) => {
    const { openHost } = await import('../server/core/open-host.ts')
    const host = await openHost({ ...config, log_level: 'silent' })
    try {
      return await run(host)
    } finally {
      await host.database.close()
    }
  })
}

/**
 * Opens one connection of plain postgres.js, because drizzle is slow to load. A command that writes calls
 * `checkSecretOf` itself.
 */
export async function withSql<T>(run: (sql: Sql, config: Config) => Promise<T>): Promise<T> {
  const config = configuration()
  const connection = await openConnection(config, { max: 1, name: 'cli' })
  try {
    return await run(connection.sql, config)
  } finally {
    await connection.close()
  }
}
