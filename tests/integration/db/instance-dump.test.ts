import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import product from '../../../package.json' with { type: 'json' }
import type { Config } from '../../../server/core/config.ts'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { fillDemo } from '../../../server/core/demo/demo.ts'
import { restoreDump } from '../../../server/core/dump/restore-dump.ts'
import { writeDump } from '../../../server/core/dump/write-dump.ts'
import { start } from '../../../server/core/runtime.ts'
import { eventually } from '../../support/builders.ts'
import { databaseUrl, onServer } from '../../support/database/database-server.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { verifyWith } from '../../support/logs.ts'
import { official } from '../../support/modules/official.ts'

let instance: Instance
let folder: string
let file: string
const made: string[] = []

beforeAll(async () => {
  instance = await anInstance()
  await fillDemo(instance.runtime.host)
  await eventually(
    async () => (await instance.sql`select 1 from core_delivery where status = 'pending'`).length === 0,
    'what the demo set off'
  )
  instance.runtime.drain()
  folder = mkdtempSync(join(tmpdir(), 'svc-dump-'))
  file = join(folder, 'all.sql')
}, 240_000)
afterAll(async () => {
  await instance?.close()
  for (const name of made)
    await onServer(inject('databases').admin, sql => sql`drop database if exists ${sql(name)} with (force)`)
  if (folder) rmSync(folder, { recursive: true, force: true })
})

/** The instance's settings on a database of its own, which is empty. */
async function withEmpty(run: (config: Config, database: Database) => Promise<void>, settings: Partial<Config> = {}) {
  const { admin } = inject('databases')
  const name = `svc_dump_${randomBytes(6).toString('hex')}`
  made.push(name)
  await onServer(admin, sql => sql`create database ${sql(name)} template template1`)
  const config = { ...instance.runtime.host.config, database_url: databaseUrl(admin, name), ...settings }
  const database = await openDatabase(config, { max: 2, name: 'test' })
  try {
    await run(config, database)
  } finally {
    await database.close()
  }
}

const tablesOf = async ({ sql }: Pick<Database, 'sql'>) =>
  (
    await sql<
      { name: string }[]
    >`select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`
  ).map(({ name }) => name)

/** Rows and a hash of their text for each table, and the value of each sequence. */
async function contentOf(database: Pick<Database, 'sql'>): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {}
  for (const table of await tablesOf(database)) {
    const [row]
      = await database.sql`select count(*)::int as rows, md5(string_agg(t::text, '|' order by t::text)) as hash from ${database.sql(table)} t`
    content[table] = { ...row }
  }
  content.sequences = (
    await database.sql`select sequencename, last_value::text from pg_sequences where schemaname = current_schema() order by 1`
  ).map(row => ({ ...row }))
  return content
}

const dump = (to = file) =>
  writeDump({
    database: instance.runtime.host.database,
    file: to,
    version: product.version,
    now: new Date('2026-11-01T12:00:00Z'),
    progress: () => {}
  })

it('a dump is a file that only its owner can read, with a side file that describes its content', async () => {
  const note = await dump()
  expect([statSync(file).mode & 0o777, statSync(`${file}.json`).mode & 0o777]).toEqual([0o600, 0o600])
  expect(readdirSync(folder).toSorted()).toEqual(['all.sql', 'all.sql.json'])
  expect(JSON.parse(readFileSync(`${file}.json`, 'utf8'))).toEqual(note)
  expect(note.branches.map(({ module }) => module)).toEqual(['core', 'billing', 'budget', 'catalog', 'clinical'])
  expect(Object.keys(note.rows).toSorted()).toEqual(await tablesOf({ sql: instance.sql }))
})

it('a dump that is restored elsewhere has every row, every sequence, and budgets that verify', async () => {
  await withEmpty(async (config, database) => {
    const { rows } = await restoreDump({ database, config }, file)
    expect(rows.budget).toBeGreaterThan(10)
    expect(await contentOf(database)).toEqual(await contentOf({ sql: instance.sql }))

    const restored = await start(config, official)
    expect(await verifyWith(restored.host.registry.get('budget')!.ctx)).toMatchObject({ ok: true })
    expect(restored.host.registry.broken).toEqual([])
    await restored.close()
  })
})

it('a dump can be restored only into an empty database, and changes nothing in another', async () => {
  await withEmpty(async (config, database) => {
    await database.sql`create table theirs (id int)`
    await expect(restoreDump({ database, config }, file)).rejects.toMatchObject({ code: 'not_empty' })
    expect(await tablesOf(database)).toEqual(['theirs'])
  })
})

it('a dump is refused with another secret, after a change, and in another release, and leaves nothing behind', async () => {
  await withEmpty(
    async (config, database) => {
      await expect(restoreDump({ database, config }, file)).rejects.toThrow(
        'SVC_SECRET is not the secret of this database'
      )
      expect(await tablesOf(database)).toEqual([])
    },
    { secret: 'another secret for tests, long enough too' }
  )

  await withEmpty(async (config, database) => {
    const other = join(folder, 'other.sql')
    const note = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
    writeFileSync(other, `${readFileSync(file, 'utf8')}-- more\n`)
    writeFileSync(`${other}.json`, JSON.stringify(note))
    await expect(restoreDump({ database, config }, other)).rejects.toMatchObject({ code: 'backup_damaged' })

    const newer = {
      ...note,
      branches: [
        ...note.branches.slice(1),
        { ...note.branches[0], revisions: [...note.branches[0].revisions, { revision: '9999_next', checksum: 'x' }] }
      ]
    }
    writeFileSync(`${file}.json`, JSON.stringify(newer))
    await expect(restoreDump({ database, config }, file)).rejects.toMatchObject({
      code: 'wrong_version',
      message: expect.stringContaining('9999_next of core is not on disk')
    })
    writeFileSync(`${file}.json`, JSON.stringify(note))

    const short = { ...note, rows: { ...note.rows, budget: note.rows.budget + 1 } }
    writeFileSync(`${file}.json`, JSON.stringify(short))
    await expect(restoreDump({ database, config }, file)).rejects.toMatchObject({ code: 'restore_failed' })
    expect(await tablesOf(database)).toEqual([])
  })
})

it('a dump that cannot be written leaves no file', async () => {
  await expect(dump(join(folder, 'nowhere/all.sql'))).rejects.toThrow('ENOENT')
  expect(readdirSync(folder).some(name => name.startsWith('.'))).toBe(false)
})
