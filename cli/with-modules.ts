import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Sql } from 'postgres'
import type { Config } from '../server/core/config.ts'
import { discover } from '../server/core/modules/discover.ts'
import { createRegistry } from '../server/core/modules/registry.ts'
import { openHost } from '../server/core/open-host.ts'
import type { Host } from '../server/core/host.ts'
import modules from './bundled-modules.ts'
import { configuration } from './context.ts'
import { failure } from './errors.ts'
import { hostPackages } from './output.ts'

export interface Opened {
  host: Host
  sql: Sql
  config: Config
  /** Without the secret, seals, fingerprints and logs can't be made or checked. */ hasSecret: boolean
}

export const noSecret = () =>
  failure(
    'secret_unknown',
    'Without the instance\'s secret nothing can be opened or checked.',
    'run it with the environment of the server (SVC_SECRET, SVC_STORAGE)'
  )

/**
 * Loads the modules from disk and runs them here as in the server, which may be down. Opening them writes nothing.
 */
export async function withModules<T>(run: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await openModules()
  try {
    return await run(opened)
  } finally {
    await opened.host.threads.close()
    await opened.host.database.close()
  }
}

/** For a thread, which ends with its process and doesn't need to close anything. */
export async function openModules(): Promise<Opened> {
  hostPackages()
  const config = { ...configuration(), log_level: 'silent' as const }
  const hasSecret = config.secret !== null || existsSync(path.join(config.storage, 'secret'))
  // A made-up secret could not open anything, and a new one must not be stored.
  const host = await openHost(
    hasSecret ? config : { ...config, secret: 'not the secret of this instance, nothing is opened with it' }
  )
  try {
    const sql = host.database.connect({ name: 'cli' })
    host.registry = await createRegistry({
      host,
      discovered: await discover(config),
      bundled: { modules, routes: [] },
      serves: false
    })
    return { host, sql, config, hasSecret }
  } catch (error) {
    await host.database.close()
    throw error
  }
}
