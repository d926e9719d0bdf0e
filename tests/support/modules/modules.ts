import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { readConfig, type Config } from '../../../server/core/config.ts'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { OPERATOR } from '../../../server/core/people/accounts/record-account.ts'
import { takeBootLock } from '../../../server/core/db/lock.ts'
import { migrateCore } from '../../../server/core/migrate-core.ts'
import { discover } from '../../../server/core/modules/discover.ts'
import type { runCommand } from '../../../server/core/modules/commands.ts'
import { processPending } from '../../../server/core/modules/lifecycle.ts'
import { openHost } from '../../../server/core/open-host.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import { start, type Runtime } from '../../../server/core/runtime.ts'
import { copyDatabase, databaseUrl, onServer } from '../database/database-server.ts'
import { aQuickFolder } from '../database/quick-folder.ts'
import { coreOnly, root as repository } from './official.ts'

export interface ModuleFiles {
  version?: string
  category?: 'official' | 'community'
  depends?: string[]
  /** Further fields of the manifest. */
  svc?: Record<string, unknown>
  /** The whole entry file, JavaScript. */
  code?: string
  /** Files of `server/api/v1/`: `things/[id].get.js` → its default export, JavaScript. */
  endpoints?: Record<string, string>
  /** `0000_x.sql` → text. */
  migrations?: Record<string, string>
  seed?: object[]
}

export interface LogRow {
  module_name: string
  operation: string
  step: string
  status: string
  attempt: number
  detail: Record<string, unknown> | null
}

/** An instance's folder with the test's own modules, and a database with the core. Without official modules. */
export interface World {
  config: Config
  database: Database
  /** Writes a module to disk, or overwrites it. Returns its folder. */
  write (name: string, files?: ModuleFiles): string
  remove (name: string): void
  /** The whole start of the product. */
  boot (): Promise<Runtime>
  /** Only the part of the start that runs under the lock. */
  install (): Promise<void>
  /** Like `svc modules …`. */
  commandHost (version?: string): Parameters<typeof runCommand>[0]
  rows (): Promise<Record<string, Record<string, unknown>>>
  log (module?: string): Promise<LogRow[]>
  close (): Promise<void>
}

interface WorldOptions {
  /** With a copy of that world's database, which is closed first, because it must have no connections. */
  like?: World
  /** The first start also migrates the core. */
  empty?: boolean
}

export async function aWorld({ like, empty = false }: WorldOptions = {}): Promise<World> {
  const root = aQuickFolder('svc-world-')
  for (const folder of ['layers', 'node_modules', 'storage']) mkdirSync(join(root, folder))
  symlinkSync(join(repository, 'drizzle'), join(root, 'drizzle'))
  writeFileSync(join(root, 'package.json'), readFileSync(join(repository, 'package.json')))

  const { admin, core, strategy } = inject('databases')
  const name = `svc_world_${randomBytes(6).toString('hex')}`
  if (like) await like.database.close()
  const template = like ? new URL(like.config.database_url!).pathname.slice(1) : empty ? 'template1' : core
  await copyDatabase({ admin, strategy }, template, name)
  const config = readConfig(
    {
      DATABASE_URL: databaseUrl(admin, name),
      SVC_SECRET: 'a secret for tests, long enough to pass',
      LOG_LEVEL: 'silent'
    },
    root
  )
  const database = await openDatabase(config, { max: 2, name: 'test' })
  const running = new Set<Runtime>()
  const folderOf = (module: string) => join(root, 'layers', module)

  return {
    config,
    database,
    write: (module, files = {}) => writeModule(folderOf(module), module, { category: 'official', ...files }),
    remove: module => rmSync(folderOf(module), { recursive: true }),
    async boot() {
      const runtime = await start(config, coreOnly)
      running.add(runtime)
      return runtime
    },
    async install() {
      const host = await openHost(config)
      const lock = await takeBootLock(host.database)
      await migrateCore(lock, { root, secrets: () => host.secrets })
      await processPending({ host, lock, discovered: await discover(config), bundled: coreOnly })
      await lock.release()
      await host.database.close()
    },
    commandHost: (version = '0.2.0') =>
      ({ sql: database.sql, config, version, secrets: () => createSecrets(config), who: OPERATOR }),
    async rows() {
      const rows = await database.sql<{ name: string }[]>`select * from core_module`
      return Object.fromEntries(rows.map(row => [row.name, row]))
    },
    log: module => database.sql<LogRow[]>`
      select module_name, operation, step, status, attempt, detail from core_module_operation_log
      where module_name = ${module ?? null} or ${module ?? null}::text is null order by id`,
    async close() {
      await Promise.all([...running].map(runtime => runtime.close()))
      await database.close()
      await onServer(admin, sql => sql`drop database if exists ${sql(name)} with (force)`)
      rmSync(root, { recursive: true, force: true })
    }
  }
}

/** The entry's name changes with its text, because Node imports a file only once. */
export function writeModule(folder: string, name: string, files: ModuleFiles): string {
  const {
    version = '1.0.0',
    category = 'community',
    depends = [],
    code = 'export default {}',
    endpoints = {},
    migrations = {},
    seed = [],
    svc = {}
  } = files
  const server = `server/index-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`
  const manifest = {
    name, category, depends, server,
    ...(Object.keys(migrations).length > 0 ? { migrations: 'migrations' } : {}),
    ...(seed.length > 0 ? { seed: ['seed/records.json'] } : {}),
    ...svc
  }
  const texts = {
    'package.json': JSON.stringify({ name: `svc-module-${name}`, version, type: 'module', svc: manifest }),
    [server]: code,
    'seed/records.json': JSON.stringify(seed),
    ...Object.fromEntries(
      Object.entries(endpoints).map(([file, text]) => [join('server/api/v1', file), `export default ${text}`])
    ),
    ...Object.fromEntries(Object.entries(migrations).map(([file, text]) => [join('migrations', file), text]))
  }
  rmSync(join(folder, 'server/api'), { recursive: true, force: true }) // endpoints are found by their files
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
