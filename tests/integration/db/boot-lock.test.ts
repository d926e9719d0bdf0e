import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LockLostError, takeBootLock, type BootLock } from '../../../server/core/db/lock.ts'
import { headOf, migrateTo, tablesOf } from '../../../server/core/db/migrate.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'

let world: World
let lock: BootLock
beforeEach(async () => {
  world = await aWorld({ empty: true })
  lock = await takeBootLock(world.database)
})
afterEach(async () => {
  await lock.release()
  await world.close()
})

const exists = async (table: string) =>
  (await world.database.sql`select to_regclass(${table}) is not null as found`)[0]!.found as boolean
const loseConnection = () =>
  world.database
    .sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc:boot' and datname = current_database()`

describe('the boot lock', () => {
  test('is held by one process at a time; the next one gets it when it is released', async () => {
    let taken = false
    const second = takeBootLock(world.database).then((next) => {
      taken = true
      return next
    })
    await lock.step(({ sql }) => sql`select pg_sleep(0.3)`)
    expect(taken).toBe(false)
    await lock.release()
    await (await second).release()
  })

  test('reports once which process it waits for', async () => {
    const [holder] = await world.database
      .sql`select pid from pg_stat_activity where application_name = 'svc:boot' and datname = current_database()`
    const reasons: string[] = []
    const second = takeBootLock(world.database, { onWait: reason => reasons.push(reason), report_after_ms: 0 })
    await expect
      .poll(() => reasons)
      .toEqual([expect.stringContaining(`waiting for the boot lock, held by pid ${holder!.pid} (svc:boot`)])
    await lock.release()
    await (await second).release()
    expect(reasons).toHaveLength(1)
  })

  test('stops waiting when the process must stop', async () => {
    const stop = new AbortController()
    const second = takeBootLock(world.database, { signal: stop.signal })
    stop.abort(new Error('told to stop'))
    await expect(second).rejects.toThrow('told to stop')
  })

  test('prevents any later step from committing after it was lost', async () => {
    await loseConnection()
    // The first errors come from the broken connection. Then the driver reconnects by itself, and only the lock is
    // missing.
    const tryLate = () =>
      lock
        .step(({ sql }) => sql`create table late (id int)`)
        .then(
          () => 'committed',
          (error: unknown) => error
        )
    await expect.poll(tryLate).toBeInstanceOf(LockLostError)
    expect(await exists('late')).toBe(false)
  })

  test('rolls back a step if it is lost in the middle of it', async () => {
    await expect(lock.step(async ({ sql }) => {
      await sql`create table late (id int)`
      await loseConnection()
      await sql`insert into late values (1)`
    })).rejects.toThrow()
    expect(await exists('late')).toBe(false)
  })

  test('runs drizzle and postgres.js in one transaction', async () => {
    await expect(lock.step(async ({ db, sql }) => {
      await sql`create table both_see (id int)`
      await db.execute('insert into both_see values (1)')
      expect(await sql`select id from both_see`).toEqual([{ id: 1 }])
      throw new Error('roll back')
    })).rejects.toThrow('roll back')
    expect(await exists('both_see')).toBe(false)
  })
})

describe('migrations', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-migrations-'))
    put('0000_a.sql', 'CREATE TABLE "a" (id int);--> statement-breakpoint\nCREATE INDEX a_id ON a (id);')
    put('0000_a.down.sql', 'drop table a;')
    put('0001_b.sql', 'create table if not exists public.b (id int);')
    put('0001_b.down.sql', 'drop table b;')
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const put = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const move = (target: 'head' | 'base', at = folder) => migrateTo(lock, { module: 'trial', folder: at, target })
  const core = () => migrateTo(lock, { module: 'core', folder: join(world.config.root, 'drizzle'), target: 'head' })

  test('run to the head, once, and back to the base, only for this branch', async () => {
    await core()
    expect(await move('head')).toEqual(['0000_a', '0001_b'])
    expect(await move('head')).toEqual([])
    expect(
      await world.database.sql`select revision from core_migration where module_name = 'trial' order by 1`
    ).toEqual([{ revision: '0000_a' }, { revision: '0001_b' }])
    expect(await move('base')).toEqual(['0001_b', '0000_a'])
    expect(await move('base')).toEqual([])
    expect([await exists('a'), await exists('b'), await exists('core_module')]).toEqual([false, false, true])
    expect(await move('head')).toEqual(['0000_a', '0001_b'])
  })

  test('of the core create their own table, can be reverted completely and run again', async () => {
    expect(await core()).toContain('0000_core')
    await migrateTo(lock, { module: 'core', folder: join(world.config.root, 'drizzle'), target: 'base' })
    expect(
      await world.database.sql`select table_name from information_schema.tables where table_schema = 'public'`
    ).toEqual([])
    expect(await core()).toContain('0000_core')
  })

  test('are refused if the branch is newer than the disk, a file was changed or a down file is missing', async () => {
    await core()
    await move('head')
    rmSync(join(folder, '0001_b.sql'))
    await expect(move('head')).rejects.toThrow('downgrade not supported')
    put('0001_b.sql', 'select 1;')
    await expect(move('head')).resolves.toEqual([])
    await expect(move('base')).rejects.toThrow('0001_b is not the file that was applied')
    put('0001_b.sql', 'create table if not exists public.b (id int);\r\n'.replace('\r\n', ''))
    rmSync(join(folder, '0001_b.down.sql'))
    await expect(move('base')).rejects.toThrow('has no down file')
  })

  test('have a head and tables that can be read without a database', () => {
    expect(headOf(folder)).toBe('0001_b')
    expect(tablesOf(folder)).toEqual(['a', 'b'])
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    expect([headOf(empty), headOf(join(folder, 'nowhere'))]).toEqual([null, null])
  })
})
