import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { backupsFolder, listBackups } from '../../server/core/modules/backup.ts'
import { restoreBackup } from '../../server/core/modules/restore.ts'
import { digestOf, objectsOf } from '../support/digest.ts'
import { aWorld, type World } from '../support/modules.ts'
import { fillOdd, ODD, ODD_TABLES } from '../support/odd-module.ts'

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
const tracked = async () => (await sql`select xml_id, table_name, record_id, noupdate, created_at::text from core_external_id where module_name = 'odd' order by xml_id`).map(row => ({ ...row }))
const sequences = async () => (await sql`select sequencename, last_value::text from pg_sequences where sequencename like 'odd%' order by 1`).map(row => ({ ...row }))
const triggers = async () => (await sql`select tgname, tgenabled from pg_trigger where not tgisinternal and tgname like 'odd%' order by 1`).map(row => ({ ...row }))
const state = async () => ({ data: await digestOf(sql, ODD_TABLES), tracked: await tracked(), sequences: await sequences(), triggers: await triggers() })
const files = () => readdirSync(backupsFolder(world.config)).sort()
const backup = async () => (await listBackups(world.config))[0]!

async function uninstall() {
  await schedule('to_remove')
  await world.install()
}

async function reinstall() {
  await schedule('to_install')
  await world.install()
}

const psql = (file: string) => run('psql', ['-v', 'ON_ERROR_STOP=1', '-q', '-X', '-f', file, world.config.database_url!])

describe('uninstall', () => {
  test('writes the data to storage/backups, with a side file, then removes everything of the module', async () => {
    const rows = { odd_person: 4, odd_room: 1, odd_stay: 1, odd_note: 2500 }
    await uninstall()
    expect(await world.rows()).toMatchObject({ odd: { state: 'uninstalled', version: null, applied_revision: null, error_message: null } })
    expect((await objectsOf(sql)).filter(name => name.includes('odd'))).toEqual([])
    expect(await tracked()).toEqual([])

    const { file } = await backup()
    expect(file).toMatch(/^module_odd_\d{8}T\d{6}Z\.sql$/)
    expect(files()).toEqual([file, `${file}.json`])
    const text = readFileSync(join(backupsFolder(world.config), file))
    expect(JSON.parse(readFileSync(join(backupsFolder(world.config), `${file}.json`), 'utf8'))).toMatchObject({
      module: 'odd', version: '1.0.0', revision: '0001_odd_triggers', rows, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex')
    })
    expect(statSync(join(backupsFolder(world.config), file)).mode & 0o777).toBe(0o600)
    expect((await world.log('odd')).filter(row => row.operation === 'uninstall')).toMatchObject([
      { step: 'backup', status: 'completed', detail: { file, rows } }, { step: 'lifecycle' },
      { step: 'delete_records', detail: { deleted: 1, kept: [expect.stringMatching(/^odd_room\//), 'odd_person/900'] } },
      { step: 'downgrade' }, { step: 'finalize', status: 'completed' }
    ])
  })

  test('five times over leaves nothing behind, and each time a backup of its own', async () => {
    const before = await objectsOf(sql)
    for (let time = 1; time <= 5; time++) {
      await uninstall()
      await reinstall()
      expect(await objectsOf(sql)).toEqual(before)
      expect(await listBackups(world.config)).toHaveLength(time)
    }
  })
})

describe('a backup', () => {
  test('is restored into the reinstalled module to the same rows, records, sequences and triggers', async () => {
    const before = await state()
    await uninstall()
    await reinstall()
    expect(await state()).not.toEqual(before)
    const { file } = await backup()
    expect(await restoreBackup(world, file)).toMatchObject({ module: 'odd', rows: { odd_note: 2500 } })
    expect(await state()).toEqual(before)
    // Deleted by somebody before: an upgrade does not bring it back.
    await schedule('to_upgrade')
    await world.install()
    expect(await sql`select name from odd_room`).toEqual([{ name: 'Hall' }])
    await expect(sql`delete from odd_note`).rejects.toThrow('notes are for ever')
  })

  test.skipIf(!hasPsql && !process.env.CI)('is restored by plain psql alike', async () => {
    const before = await state()
    await uninstall()
    await reinstall()
    await psql(join(backupsFolder(world.config), (await backup()).file))
    expect(await state()).toEqual(before)
  })

  test('is refused by a module that holds other than seeded rows, which keeps them', async () => {
    await uninstall()
    await reinstall()
    await sql`insert into odd_note (text) values ('written since')`
    const before = await state()
    const { file } = await backup()
    await expect(restoreBackup(world, file)).rejects.toMatchObject({ code: 'not_empty', message: expect.stringContaining('odd_note holds rows other than seeded ones') })
    if (hasPsql) await expect(psql(join(backupsFolder(world.config), file))).rejects.toThrow('odd_note holds rows other than seeded ones')
    expect(await state()).toEqual(before)
  })

  test('is restored whole or not at all', async () => {
    await uninstall()
    await reinstall()
    const before = await state()
    await sql`alter table odd_note add constraint short check (text <> 'note 2400')`
    await expect(restoreBackup(world, (await backup()).file)).rejects.toMatchObject({ code: 'restore_failed', message: expect.stringContaining('short') })
    expect(await state()).toEqual(before)
  })

  test('is refused when its bytes differ, when the side file is gone, and when there is none of that name', async () => {
    await uninstall()
    await reinstall()
    const path = join(backupsFolder(world.config), (await backup()).file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('note 7\n', 'note 8\n'))
    await expect(restoreBackup(world, path)).rejects.toMatchObject({ code: 'backup_damaged', message: expect.stringContaining('checksum') })
    writeFileSync(path, text)
    rmSync(`${path}.json`)
    await expect(restoreBackup(world, path)).rejects.toMatchObject({ code: 'backup_damaged' })
    expect(await listBackups(world.config)).toEqual([])
    await expect(restoreBackup(world, 'module_odd_20200101T000000Z.sql')).rejects.toMatchObject({ code: 'backup_not_found' })
  })

  test('is refused by a module that is not installed, or installed in another version', async () => {
    await uninstall()
    const { file } = await backup()
    await expect(restoreBackup(world, file)).rejects.toMatchObject({ code: 'not_installed' })
    world.write('odd', { ...ODD, version: '2.0.0' })
    await reinstall()
    await expect(restoreBackup(world, file)).rejects.toMatchObject({ code: 'wrong_version', message: expect.stringContaining('2.0.0') })
  })

  test('is listed, newest first; half-written files and strangers are not', async () => {
    expect(await listBackups(world.config)).toEqual([])
    await uninstall()
    await reinstall()
    await uninstall()
    writeFileSync(join(backupsFolder(world.config), 'notes.sql'), '')
    writeFileSync(join(backupsFolder(world.config), '.module_odd_20200101T000000Z.sql.tmp'), '')
    const [newest, oldest, ...more] = await listBackups(world.config)
    expect(more).toEqual([])
    expect(newest!.created_at > oldest!.created_at).toBe(true)
    expect(newest).toMatchObject({ module: 'odd', version: '1.0.0', rows: { odd_room: 2, odd_note: 0 } })
  })
})

describe('a backup that cannot be written', () => {
  async function expectUntouched(run: () => Promise<unknown>, message: string) {
    const before = await state()
    await schedule('to_remove')
    await run()
    expect(await state()).toEqual(before)
    expect(await world.rows()).toMatchObject({ odd: { state: 'to_remove', version: '1.0.0', applied_revision: '0001_odd_triggers', error_message: expect.stringContaining(message) } })
    expect((await world.log('odd')).filter(row => row.operation === 'uninstall')).toMatchObject([{ step: 'backup', status: 'failed', detail: { error: expect.stringContaining(message) } }])
    expect(await listBackups(world.config)).toEqual([])
  }

  test('because the folder is none stops the removal with nothing destroyed, and the next boot goes on', async () => {
    writeFileSync(backupsFolder(world.config), 'a file in its place')
    await expectUntouched(() => world.install(), 'nothing was removed')
    rmSync(backupsFolder(world.config))
    await world.install()
    expect(await world.rows()).toMatchObject({ odd: { state: 'uninstalled' } })
    expect(await listBackups(world.config)).toHaveLength(1)
  })

  test('because the disk is full stops the removal, and leaves no file', async () => {
    await sql`insert into odd_note (text) select repeat('x', 1000) from generate_series(1, 2000)`
    const script = join(import.meta.dirname, '../support/boot-and-die.ts')
    const { root, storage, database_url, secret } = world.config
    const env = { PATH: '/nowhere', DATABASE_URL: database_url!, SVC_SECRET: secret!, SVC_STORAGE: storage, LOG_LEVEL: 'silent' }
    // No file may grow beyond a megabyte: the same failing write as on a full disk, for this process only.
    const limited = `ulimit -f 1024; exec ${process.execPath} ${script} ${root} 0 after`
    await expectUntouched(() => run('/bin/bash', ['-c', limited], { env }), 'EFBIG')
    expect(files()).toEqual([])
  })

  test('because its connection is cut in the middle stops the removal', async () => {
    await sql`insert into odd_note (text) select repeat('x', 1000) from generate_series(1, 20000)`
    let isCut = false
    const cut = async () => {
      for (let tries = 0; tries < 5000 && !isCut; tries++) {
        const rows = await sql`select pg_terminate_backend(pid) as cut from pg_stat_activity where application_name = 'svc:backup' and datname = current_database() and query like '%odd_note%'`
        isCut = rows.length > 0
      }
    }
    await expectUntouched(() => Promise.all([world.install(), cut()]), 'nothing was removed')
    expect(isCut).toBe(true)
    expect(files()).toEqual([])
  })

  test('leaves what another process left half-written to the next one, which removes it', async () => {
    mkdirSync(backupsFolder(world.config), { recursive: true })
    writeFileSync(join(backupsFolder(world.config), '.module_odd_20200101T000000Z.sql.tmp'), 'half')
    await uninstall()
    expect(files()).toHaveLength(2)
  })
})
