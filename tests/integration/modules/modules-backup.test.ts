import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { backupsFolder, listBackups } from '../../../server/core/modules/backup/backup.ts'
import { restoreBackup } from '../../../server/core/modules/backup/restore.ts'
import { eventually } from '../../support/builders.ts'
import { digestOf, objectsOf } from '../../support/documents/digest.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'
import { fillOdd, ODD, ODD_TABLES } from '../../support/modules/odd-module.ts'

const run = promisify(execFile)
const hasPsql = await run('psql', ['--version']).then(() => true, () => false)

let world: World
let sql: World['database']['sql']
beforeEach(async () => {
  world = await aWorld()
  sql = world.database.sql
  world.write('odd', ODD)
  await world.install()
  await sql.unsafe(fillOdd)
})
afterEach(() => world.close())

const schedule = (state: string, pending: object | null = null) =>
  sql`update core_module set state = ${state}, pending = ${pending === null ? null : JSON.stringify(pending)}::text::jsonb where name = 'odd'`
const tracked = async () =>
  (
    await sql`select xml_id, table_name, record_id, noupdate, created_at::text from core_external_id where module_name = 'odd' order by xml_id`
  ).map(row => ({ ...row }))
const sequences = async () =>
  (await sql`select sequencename, last_value::text from pg_sequences where sequencename like 'odd%' order by 1`).map(
    row => ({ ...row })
  )
const triggers = async () =>
  (await sql`select tgname, tgenabled from pg_trigger where not tgisinternal and tgname like 'odd%' order by 1`).map(
    row => ({ ...row })
  )
const state = async () => ({
  data: await digestOf(sql, ODD_TABLES),
  tracked: await tracked(),
  sequences: await sequences(),
  triggers: await triggers()
})
const files = () => readdirSync(backupsFolder(world.config)).sort()
const backup = async () => (await listBackups(world.config))[0]!

const uninstall = () => schedule('to_remove').then(() => world.install())
const reinstall = () => schedule('to_install').then(() => world.install())

const psql = (file: string, env: Record<string, string> = {}) =>
  run('psql', ['-v', 'ON_ERROR_STOP=1', '-q', '-X', '-f', file, world.config.database_url!], {
    env: { ...process.env, ...env }
  })

describe('uninstall', () => {
  test('writes the data to storage/backups, with a side file, then removes everything of the module', async () => {
    const rows = { odd_person: 4, odd_room: 1, odd_stay: 1, odd_note: 2501 }
    await uninstall()
    expect(await world.rows()).toMatchObject({
      odd: { state: 'uninstalled', version: null, applied_revision: null, error_message: null }
    })
    expect((await objectsOf(sql)).filter(name => name.includes('odd'))).toEqual([])
    expect(await tracked()).toEqual([])

    const { file } = await backup()
    expect(file).toMatch(/^module_odd_\d{8}T\d{6}Z\.sql$/)
    expect(files()).toEqual([file, `${file}.json`])
    const text = readFileSync(join(backupsFolder(world.config), file))
    expect(JSON.parse(readFileSync(join(backupsFolder(world.config), `${file}.json`), 'utf8'))).toMatchObject({
      module: 'odd',
      version: '1.0.0',
      revision: '0001_odd_triggers',
      rows,
      bytes: text.length,
      sha256: createHash('sha256').update(text).digest('hex')
    })
    expect(statSync(join(backupsFolder(world.config), file)).mode & 0o777).toBe(0o600)
    expect((await world.log('odd')).filter(row => row.operation === 'uninstall')).toMatchObject([
      { step: 'backup', status: 'completed', detail: { file, rows } },
      { step: 'lifecycle' },
      {
        step: 'delete_records',
        detail: { deleted: 1, kept: [expect.stringMatching(/^odd_room\//), 'odd_person/900'] }
      },
      { step: 'downgrade' },
      { step: 'finalize', status: 'completed' }
    ])
  })

  test('five times over leaves nothing behind, and writes a separate backup each time', async () => {
    const before = await objectsOf(sql)
    for (let time = 1; time <= 5; time++) {
      await uninstall()
      await reinstall()
      expect(await objectsOf(sql)).toEqual(before)
      expect(await listBackups(world.config)).toHaveLength(time)
    }
  })
})

test('a seeded record that a trigger protects is removed with its table', async () => {
  world.write('book', {
    migrations: {
      '0000_book.sql': `create table book (id int primary key);
        create function book_keep() returns trigger language plpgsql as $$ begin raise exception 'books are for ever'; end $$;
        create trigger book_keep before delete on book for each row execute function book_keep();`,
      '0000_book.down.sql': 'drop table book; drop function book_keep();'
    },
    seed: [{ xml_id: 'first', table: 'book', values: { id: 1 } }]
  })
  await world.install()
  await sql`update core_module set state = 'to_remove' where name = 'book'`
  await world.install()
  expect(await world.rows()).toMatchObject({ book: { state: 'uninstalled', error_message: null } })
  expect((await world.log('book')).find(({ step }) => step === 'delete_records')).toMatchObject({
    detail: { deleted: 0, kept: ['book/1'] }
  })
})

describe('a removal that could not be completed', () => {
  const broken = (downs: Record<string, string>) =>
    world.write('odd', { ...ODD, migrations: { ...ODD.migrations, ...downs } })

  test.each([
    ['a down file that fails', () => broken({ '0000_odd.down.sql': 'drop table odd_nowhere;' }), 'odd_nowhere'],
    [
      'a changed migration',
      () => broken({ '0000_odd.sql': `${ODD.migrations!['0000_odd.sql']} -- changed` }),
      'is not the file that was applied'
    ],
    [
      'a down file that would end the transaction',
      () => broken({ '0000_odd.down.sql': `begin; ${ODD.migrations!['0000_odd.down.sql']} commit;` }),
      'each file is one already'
    ],
    [
      'a down file that drops a table of the service',
      () =>
        broken({
          '0001_odd_triggers.down.sql': `${ODD.migrations!['0001_odd_triggers.down.sql']} drop table core_external_id cascade;`
        }),
      'core_external_id, which belongs to the service itself'
    ],
    [
      'a down file that drops what no backup holds',
      () =>
        sql`create schema elsewhere create table patient (id int)`.then(() =>
          broken({ '0000_odd.down.sql': `${ODD.migrations!['0000_odd.down.sql']} drop schema elsewhere cascade;` })
        ),
      'elsewhere.patient'
    ],
    [
      'a table of another owner that refers to the module\'s',
      () => sql`create table stranger (person integer references odd_person(id))`,
      'stranger'
    ]
  ])('because of %s stops before anything is removed', async (_, prepare, message) => {
    await prepare()
    const before = await state()
    await uninstall()
    expect(await state()).toEqual(before)
    expect(await world.rows()).toMatchObject({
      odd: {
        state: 'to_remove',
        applied_revision: '0001_odd_triggers',
        error_message: expect.stringContaining(message)
      }
    })
    expect(await listBackups(world.config)).toEqual([])
  })
})

describe('a backup', () => {
  test('contains every table that the removal drops, even if it was created in another way', async () => {
    world.write('moved', {
      migrations: {
        '0000_a.sql':
          'create table first_name (id int primary key); do $$ begin execute \'create table in_block (id int)\'; end $$; create sequence lonely;',
        '0000_a.down.sql': 'drop table second_name; drop table in_block; drop sequence lonely;',
        '0001_b.sql': 'alter table first_name rename to second_name;',
        '0001_b.down.sql': ''
      }
    })
    await world.install()
    await sql`insert into second_name values (1), (2)`
    await sql`select setval('lonely', 77)`
    await sql`update core_module set state = 'to_remove' where name = 'moved'`
    await world.install()
    expect(await backup()).toMatchObject({ module: 'moved', rows: { second_name: 2, in_block: 0 } })
    await sql`update core_module set state = 'to_install' where name = 'moved'`
    await world.install()
    await restoreBackup(world, (await backup()).file)
    expect(
      await sql`select (select count(*)::int from second_name) as rows, (select last_value::int from lonely) as last`
    ).toEqual([{ rows: 2, last: 77 }])
  })

  test('is restored into the reinstalled module with the same rows, records, sequences and triggers', async () => {
    const before = await state()
    await uninstall()
    await reinstall()
    expect(await state()).not.toEqual(before)
    const { file } = await backup()
    expect(await restoreBackup(world, file)).toMatchObject({ module: 'odd', rows: { odd_note: 2501 } })
    expect(await state()).toEqual(before)
    // Deleted earlier: an upgrade does not restore it.
    await schedule('to_upgrade')
    await world.install()
    expect(await sql`select name from odd_room`).toEqual([{ name: 'Hall' }])
    await expect(sql`delete from odd_note`).rejects.toThrow('notes are for ever')
  })

  test.skipIf(!hasPsql && !process.env.CI)('is restored by plain psql in the same way', async () => {
    const before = await state()
    await uninstall()
    await reinstall()
    await psql(join(backupsFolder(world.config), (await backup()).file))
    expect(await state()).toEqual(before)
  })

  test.skipIf(!hasPsql && !process.env.CI)(
    'is restored by the owner of the tables, without being a superuser',
    async () => {
      const before = await state()
      await uninstall()
      await reinstall()
      const owner = `odd_owner_${process.pid}`
      await sql.unsafe(`create role ${owner};
      do $$ declare relation regclass; begin
        for relation in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' or relname = 'odd_number' loop
          execute format('alter %s %s owner to ${owner}', case relation::text when 'odd_number' then 'sequence' else 'table' end, relation);
        end loop;
      end $$;`)
      await psql(join(backupsFolder(world.config), (await backup()).file), { PGOPTIONS: `-c role=${owner}` })
      expect(await state()).toEqual(before)
      await sql.unsafe(`reassign owned by ${owner} to current_user; drop role ${owner}`)
    }
  )

  test('is refused by a module with rows that are not seeded, which it keeps', async () => {
    await uninstall()
    await reinstall()
    await sql`insert into odd_note (text) values ('written since')`
    const before = await state()
    const { file } = await backup()
    await expect(restoreBackup(world, file)).rejects.toMatchObject({
      code: 'not_empty',
      message: expect.stringContaining('odd_note holds rows other than seeded ones')
    })
    if (hasPsql)
      await expect(psql(join(backupsFolder(world.config), file))).rejects.toThrow(
        'odd_note holds rows other than seeded ones'
      )
    expect(await state()).toEqual(before)
  })

  test('is refused over data that was kept, even if an install has adopted it', async () => {
    await uninstall()
    const { file } = await backup()
    await reinstall()
    await sql`insert into odd_stay select id, '2026-02-02' from odd_room limit 1`
    await schedule('to_remove', { keep_data: true })
    await world.install()
    await reinstall()
    await expect(restoreBackup(world, file)).rejects.toMatchObject({ code: 'not_empty' })
  })

  test('is restored completely or not at all', async () => {
    await uninstall()
    await reinstall()
    const before = await state()
    await sql`alter table odd_note add constraint short check (text <> 'note 2400')`
    await expect(restoreBackup(world, (await backup()).file)).rejects.toMatchObject({
      code: 'restore_failed',
      message: expect.stringContaining('short')
    })
    expect(await state()).toEqual(before)
  })

  test('is refused if its bytes differ, if the side file is missing, and if there is no backup of that name', async () => {
    await uninstall()
    await reinstall()
    const path = join(backupsFolder(world.config), (await backup()).file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('note 7\n', 'note 8\n'))
    await expect(restoreBackup(world, path)).rejects.toMatchObject({
      code: 'backup_damaged',
      message: expect.stringContaining('checksum')
    })
    writeFileSync(path, text)
    rmSync(`${path}.json`)
    await expect(restoreBackup(world, path)).rejects.toMatchObject({ code: 'backup_damaged' })
    expect(await listBackups(world.config)).toEqual([])
    await expect(restoreBackup(world, 'module_odd_20200101T000000Z.sql')).rejects.toMatchObject({
      code: 'backup_not_found'
    })
  })

  test('is refused by a module that is not installed, or installed in another version', async () => {
    await uninstall()
    const { file } = await backup()
    await expect(restoreBackup(world, file)).rejects.toMatchObject({ code: 'not_installed' })
    world.write('odd', { ...ODD, version: '2.0.0' })
    await reinstall()
    await expect(restoreBackup(world, file)).rejects.toMatchObject({
      code: 'wrong_version',
      message: expect.stringContaining('2.0.0')
    })
  })

  test('is listed, newest first, without incomplete and unrelated files', async () => {
    expect(await listBackups(world.config)).toEqual([])
    await uninstall()
    await reinstall()
    await uninstall()
    writeFileSync(join(backupsFolder(world.config), 'notes.sql'), '')
    writeFileSync(join(backupsFolder(world.config), '.module_odd_20200101T000000Z.sql.tmp'), '')
    const [newest, oldest, ...more] = await listBackups(world.config)
    expect(more).toEqual([])
    expect(newest!.created_at > oldest!.created_at).toBe(true)
    expect(newest).toMatchObject({ module: 'odd', version: '1.0.0', rows: { odd_room: 2, odd_note: 1 } })
  })
})

describe('a removal that stopped after its backup', () => {
  /** An instance that has not restarted yet is still running the module. */
  const stopped = async () => {
    world.write('odd', { ...ODD, code: 'export default { hooks: { uninstall() { throw new Error("away") } } }' })
    await uninstall()
    expect(await world.rows()).toMatchObject({ odd: { state: 'to_remove', error_message: 'away' } })
    world.write('odd', ODD)
  }
  const text = async () => readFileSync(join(backupsFolder(world.config), (await backup()).file), 'utf8')

  test.each([
    ['was added', () => sql`insert into odd_room (name, owner) values ('Written late', 900)`],
    ['was changed', () => sql`update odd_room set name = 'Written late'`]
  ])('includes what another instance wrote since: a row that %s is in a backup', async (_, write) => {
    await stopped()
    await write()
    await world.install()
    expect(await world.rows()).toMatchObject({ odd: { state: 'uninstalled' } })
    expect(await text()).toContain('Written late')
  })

  test('writes the backup again only if its file is missing', async () => {
    await stopped()
    await world.install()
    expect(files()).toHaveLength(2)
    await reinstall()
    await stopped()
    for (const name of files()) rmSync(join(backupsFolder(world.config), name))
    await world.install()
    expect(await world.rows()).toMatchObject({ odd: { state: 'uninstalled' } })
    expect(await listBackups(world.config)).toHaveLength(1)
  })
})

describe('a backup that cannot be written', () => {
  async function expectUntouched(run: () => Promise<unknown>, message: string) {
    const before = await state()
    await schedule('to_remove')
    await run()
    expect(await state()).toEqual(before)
    expect(await world.rows()).toMatchObject({
      odd: {
        state: 'to_remove',
        version: '1.0.0',
        applied_revision: '0001_odd_triggers',
        error_message: expect.stringContaining(message)
      }
    })
    expect((await world.log('odd')).filter(row => row.operation === 'uninstall')).toMatchObject([
      { step: 'backup', status: 'failed', detail: { error: expect.stringContaining(message) } }
    ])
    expect(await listBackups(world.config)).toEqual([])
  }

  test('because the folder is missing stops the removal with nothing destroyed, and the next start continues', async () => {
    writeFileSync(backupsFolder(world.config), 'a file in its place')
    await expectUntouched(() => world.install(), 'nothing was removed')
    rmSync(backupsFolder(world.config))
    await world.install()
    expect(await world.rows()).toMatchObject({ odd: { state: 'uninstalled' } })
    expect(await listBackups(world.config)).toHaveLength(1)
  })

  test('because the disk is full stops the removal, and leaves no file', async () => {
    await sql`insert into odd_note (text) select repeat('x', 1000) from generate_series(1, 2000)`
    const script = join(import.meta.dirname, '../../support/database/boot-and-die.ts')
    const { root, storage, database_url, secret } = world.config
    const env = {
      PATH: '/nowhere',
      DATABASE_URL: database_url!,
      SVC_SECRET: secret!,
      SVC_STORAGE: storage,
      LOG_LEVEL: 'silent'
    }
    // No file may be larger than a megabyte: the same failure as on a full disk, only for this process.
    const limited = `ulimit -f 1024; exec ${process.execPath} ${script} ${root} 0 after`
    await expectUntouched(() => run('/bin/bash', ['-c', limited], { env }), 'EFBIG')
    expect(files()).toEqual([])
  })

  /** Does `act` as soon as the backup reads the large table. */
  async function whileItReads(act: () => PromiseLike<unknown>) {
    await sql`insert into odd_note (text) select repeat('x', 1000) from generate_series(1, 20000)`
    const reading = () =>
      sql`select pid from pg_stat_activity where application_name = 'svc:backup' and datname = current_database() and query like '%odd_note%'`
    const watch = async () => {
      await eventually(async () => (await reading()).length > 0, 'a backup', { every: 0 })
      return act()
    }
    return () => Promise.all([world.install(), watch()])
  }

  test('because its connection breaks in the middle stops the removal', async () => {
    await expectUntouched(
      await whileItReads(
        () =>
          sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc:backup' and datname = current_database()`
      ),
      'nothing was removed'
    )
    expect(files()).toEqual([])
  })

  test('because another instance writes meanwhile stops the removal, and the next start includes those rows', async () => {
    await schedule('to_remove')
    const write = await whileItReads(() => sql`insert into odd_room (name, owner) values ('Written late', 900)`)
    await write()
    expect(await world.rows()).toMatchObject({
      odd: { state: 'to_remove', error_message: expect.stringContaining('odd_room has 2 rows, its backup 1') }
    })
    expect(await sql`select name from odd_room order by name`).toEqual([{ name: 'Hall' }, { name: 'Written late' }])
    await world.install()
    expect(await world.rows()).toMatchObject({ odd: { state: 'uninstalled' } })
    expect((await backup()).rows).toMatchObject({ odd_room: 2 })
  })

  test('because another instance changes a row meanwhile stops the removal too', async () => {
    await schedule('to_remove')
    const write = await whileItReads(() => sql`update odd_room set name = 'Renamed late'`)
    await write()
    expect(await world.rows()).toMatchObject({
      odd: { state: 'to_remove', error_message: expect.stringContaining('rows of odd_room are newer than its backup') }
    })
    await world.install()
    expect(readFileSync(join(backupsFolder(world.config), (await backup()).file), 'utf8')).toContain('Renamed late')
  })

  test('leaves incomplete files of another process to the next one, which removes them', async () => {
    mkdirSync(backupsFolder(world.config), { recursive: true })
    writeFileSync(join(backupsFolder(world.config), '.module_odd_20200101T000000Z.sql.tmp'), 'half')
    await uninstall()
    expect(files()).toHaveLength(2)
  })
})
