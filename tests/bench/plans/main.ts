import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, toNodeListener } from 'h3'
import { upgradeOfficial } from '../../../cli/upgrade-official.ts'
import { readConfig, type Config } from '../../../server/core/config.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { startEmbedded } from '@svc/embedded-postgres'
import { start } from '../../../server/core/runtime.ts'
import { createCaller } from '../../support/caller.ts'
import { official, root } from '../../support/modules/official.ts'
import { createPeople } from '../../support/people.ts'
import { classify, type Classified } from './classify.ts'
import { writeReport } from './report.ts'
import { scenarios } from './scenarios.ts'
import { seed } from './seed.ts'
import { createReader, LOG_PREFIX, OWN, settings, type Executed } from './statements.ts'
import type { World } from './world.ts'

/**
 * `npm run bench:plans`: calls the product's endpoints and jobs on a database of 1,000,000 budgets and reads the
 * server's plan for each statement. It exits with 1 when a statement reads more than it needs.
 */
const { values } = parseArgs({ options: {
  budgets: { type: 'string', default: '1000000' },
  clinics: { type: 'string', default: '400' },
  /** The folder of the database during the run, about 8 GB for a million budgets. */
  folder: { type: 'string', default: tmpdir() },
  /** A folder that is kept for later runs. It is filled when it is empty. */
  keep: { type: 'string' },
  only: { type: 'string', default: '' }
} })
const size = { budgets: Number(values.budgets), clinics: Number(values.clinics) }
const say = (line: string) => process.stderr.write(`${line}\n`)

const storage = values.keep ?? mkdtempSync(join(values.folder, 'svc-plans-'))
const filled = join(storage, 'filled')
const quick = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  shared_buffers: '512MB',
  max_wal_size: '4GB'
}
const embedded = await startEmbedded({ storage, root, settings: { ...quick, log_line_prefix: LOG_PREFIX } })
try {
  await run()
} finally {
  await embedded.release()
  if (!values.keep) rmSync(storage, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const config = readConfig(
    {
      DATABASE_URL: embedded.url(),
      SVC_STORAGE: storage,
      SVC_SECRET: 'a secret for tests, long enough to pass',
      LOG_LEVEL: 'error',
      SVC_TRUSTED_PROXIES: '1'
    },
    root
  )
  const boot = performance.now()
  await (await start(config, official)).close() // installs everything
  if (values.keep) await upgrade(config)
  say(`ready after ${Math.round(performance.now() - boot)} ms`)
  const database = await openDatabase(config, { max: 2, name: OWN })
  if (!existsSync(filled)) {
    say(`writing ${size.budgets.toLocaleString('en')} budgets below ${storage}`)
    await seed(database.sql, size, say)
    writeFileSync(filled, '')
  }
  const [{ name }] = await database.sql`select current_database() as name` as [{ name: string }]
  for (const [setting, value] of Object.entries(settings))
    await database.sql.unsafe(`load 'auto_explain'; alter database ${name} set ${setting} = '${value}'`)
  const about = { ...size, ...await describe(database.sql) }
  const growing = new Set(about.tables.filter(({ rows }) => rows >= 300).map(({ name }) => name))

  const read = createReader(join(storage, 'postgres/postgres.log'))
  const runtime = await start(config, official)
  const server = createServer({ keepAliveTimeout: 0 }, toNodeListener(createApp().use(runtime.api.handler)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const people = createPeople(() => runtime.host, url)
    const clinics = await database.sql<
      { id: string }[]
    >`select clinic_id as id from budget_number where year = extract(year from now()) order by last desc`
    const [clinic, small] = [clinics[0]!, clinics[Math.floor(clinics.length / 2)]!]
    const world: World = {
      url,
      runtime,
      sql: database.sql,
      clinic,
      small,
      as: (role, at = clinic) => people.member(role, at),
      anonymous: () => createCaller(url)
    }
    const checked = await drive(world, growing, read)
    process.stdout.write(writeReport(about, checked))
    if (checked.some(({ verdict }) => verdict === 'bad')) process.exitCode = 1
  } finally {
    server.close()
    server.closeAllConnections()
    await runtime.close()
    await database.close()
  }
}

/** A database that an earlier release has filled. */
async function upgrade(config: Config): Promise<void> {
  Object.assign(process.env, { DATABASE_URL: config.database_url, SVC_STORAGE: storage })
  if ((await upgradeOfficial()).length > 0) await (await start(config, official)).close()
}

async function drive(world: World, growing: ReadonlySet<string>, read: () => Executed[]): Promise<Classified[]> {
  const checked: Classified[] = []
  for (const [name, scenario] of Object.entries(scenarios).filter(([name]) => name.includes(values.only))) {
    const start = performance.now()
    await scenario(world)
    const found = [...Map.groupBy(read(), ({ sql }) => sql).values()].flatMap(
      runs => classify(name, runs, growing) ?? []
    )
    checked.push(...found)
    const bad = found.filter(({ verdict }) => verdict === 'bad')
    say(
      `${name}: ${found.length} statements, ${Math.round(performance.now() - start)} ms${bad.map(({ name, why }) => `\n  BAD ${name}: ${why}`).join('')}`
    )
  }
  return checked
}

async function describe(sql: World['sql']) {
  const tables = await sql<{ name: string, rows: number, bytes: number }[]>`
    select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 0 order by pg_total_relation_size(oid) desc`
  const [{ server }] = await sql`select current_setting('server_version') as server` as [{ server: string }]
  return { tables: [...tables], server }
}
