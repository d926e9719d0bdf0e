import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
import { aQuickFolder, isInMemory } from './quick-folder.ts'

declare module 'vitest' {
  interface ProvidedContext { databases: { admin: string, core: string, template: string, strategy: string } }
}

/**
 * One server for the whole run: `TEST_DATABASE_URL`, otherwise an embedded one in its own folder. Everything is
 * installed once, into a template, and each test file gets a copy. `core` is the template without modules.
 */
export default async function setup(project: TestProject) {
  const storage = aQuickFolder('svc-test-')
  // A test run need not survive a crash of the machine.
  const embedded = process.env.TEST_DATABASE_URL
    ? null
    : await startEmbedded({ storage, root, settings: { fsync: 'off', full_page_writes: 'off', max_connections: '400' } })
  const admin = process.env.TEST_DATABASE_URL ?? embedded!.url('postgres')
  const run = randomBytes(4).toString('hex')
  const [core, template] = [`svc_core_${run}`, `svc_template_${run}`] as const

  await onServer(admin, sql => sql`create database ${sql(core)}`)
  await migrateOnlyCore(settingsFor(databaseUrl(admin, core), storage))
  const strategy = await chooseStrategy(admin)
  await copyDatabase({ admin, strategy }, core, template)
  await installEverything(settingsFor(databaseUrl(admin, template), storage))
  project.provide('databases', { admin, core, template, strategy })

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

/** In memory it is quickest to copy the files. On a disk that takes longer than the server's default. */
async function chooseStrategy(admin: string): Promise<string> {
  let strategy = ''
  await onServer(admin, async (sql) => {
    const [{ folder, version }] = await sql<[{ folder: string | null, version: number }]>`
      select (select setting from pg_settings where name = 'data_directory') as folder,
        current_setting('server_version_num')::int as version`
    if (version >= 150_000 && folder && isInMemory(folder)) strategy = 'strategy file_copy'
  })
  return strategy
}

/** A new database like `template`, to which nothing is connected. */
export const copyDatabase = (
  { admin, strategy }: { admin: string, strategy: string },
  template: string,
  name: string
): Promise<void> => onServer(admin, sql => sql.unsafe(`create database "${name}" template "${template}" ${strategy}`))

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
