import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { readConfig, type Config } from '../../../server/core/config.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { takeBootLock } from '../../../server/core/db/lock.ts'
import { migrateCore } from '../../../server/core/migrate-core.ts'
import { openHost } from '../../../server/core/open-host.ts'
import { startEmbedded } from '@svc/embedded-postgres'
import { start } from '../../../server/core/runtime.ts'
import { official, root } from '../modules/official.ts'

declare module 'vitest' {
  interface ProvidedContext { databases: { admin: string, core: string, template: string } }
}

/**
 * One server for the whole run: `TEST_DATABASE_URL`, otherwise an embedded one in its own folder. Everything is
 * installed once, into a template, and each test file gets a copy. `core` is the template without modules.
 */
export default async function setup(project: TestProject) {
  const storage = mkdtempSync(join(tmpdir(), 'svc-test-'))
  // A test run need not survive a crash of the machine.
  const embedded = process.env.TEST_DATABASE_URL
    ? null
    : await startEmbedded({ storage, root, settings: { fsync: 'off', max_connections: '400' } })
  const admin = process.env.TEST_DATABASE_URL ?? embedded!.url('postgres')
  const run = randomBytes(4).toString('hex')
  const [core, template] = [`svc_core_${run}`, `svc_template_${run}`] as const

  await onServer(admin, sql => sql`create database ${sql(core)}`)
  await migrateOnlyCore(settingsFor(databaseUrl(admin, core), storage))
  await onServer(admin, sql => sql`create database ${sql(template)} template ${sql(core)}`)
  await installEverything(settingsFor(databaseUrl(admin, template), storage))
  project.provide('databases', { admin, core, template })

  return async () => {
    for (const name of [core, template])
      await onServer(admin, sql => sql`drop database if exists ${sql(name)} with (force)`)
    await embedded?.release()
    rmSync(storage, { recursive: true, force: true })
  }
}

export function databaseUrl(admin: string, name: string): string {
  const url = new URL(admin)
  url.pathname = `/${name}`
  return url.href
}

/** One statement on the server itself, with the product's client. */
export async function onServer(admin: string, run: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const database = await openDatabase({ database_url: admin, storage: tmpdir(), root }, { max: 1, name: 'test-admin' })
  try {
    await run(database.sql)
  } finally {
    await database.close()
  }
}

function settingsFor(url: string, storage: string): Config {
  return readConfig(
    {
      DATABASE_URL: url,
      SVC_STORAGE: storage,
      SVC_SECRET: 'a secret for tests, long enough to pass',
      LOG_LEVEL: 'warn'
    },
    root
  )
}

async function migrateOnlyCore(config: Config) {
  const { database, secrets } = await openHost(config)
  const lock = await takeBootLock(database)
  await migrateCore(lock, { root, secrets: () => secrets })
  await lock.release()
  await database.close()
}

async function installEverything(config: Config) {
  const runtime = await start(config, official)
  const broken = runtime.host.registry.broken
  await runtime.close()
  if (broken.length > 0) throw new Error(`official modules do not run: ${JSON.stringify(broken)}`)
}
