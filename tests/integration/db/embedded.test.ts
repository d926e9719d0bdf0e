import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { startHeartbeat } from '../../../server/core/db/heartbeat.ts'
import { createLog } from '../../../server/core/log.ts'
import { refuseForeign } from '@svc/embedded-postgres'
import { isRunning } from '@svc/embedded-postgres/lock-files.ts'
import { textOf } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'

const silent = createLog({ production: true, log_level: 'silent' })
/** A stopped database that each test copies, because creating one takes seconds. */
let made: string
let storage: string
/** A folder where the first start creates a database. */
let unmade: string
const opened = new Set<Database>()

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-embedded-'))
  chmodSync(folder, 0o755)
  return folder
}

beforeAll(async () => {
  made = join(aFolder(), 'storage')
  await (await openDatabase({ database_url: null, storage: made, root })).close()
})
afterAll(() => rmSync(join(made, '..'), { recursive: true, force: true }))

beforeEach(() => {
  const folder = aFolder()
  storage = join(folder, 'storage')
  unmade = join(folder, 'unmade')
  execFileSync('cp', ['-a', made, storage]) // keeps the owners of the files
})
afterEach(async () => {
  await Promise.all([...opened].map(database => database.close()))
  opened.clear()
  rmSync(join(storage, '..'), { recursive: true, force: true })
})

async function open(at = storage) {
  const database = await openDatabase({ database_url: null, storage: at, root })
  opened.add(database)
  return database
}

async function close(database: Database) {
  opened.delete(database)
  await database.close()
}

const isUp = () => existsSync(join(storage, 'postgres/data/postmaster.pid'))
const serverPid = () => Number(readFileSync(join(storage, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])

/**
 * Another process that opens the database, writes a row, and then reports what keeps it alive. `ended` resolves to its
 * exit code or signal.
 */
function another(then: 'closes' | 'stays') {
  const script = `
    import { openDatabase } from ${JSON.stringify(join(root, 'server/core/db/client.ts'))}
    const database = await openDatabase({ database_url: null, storage: ${JSON.stringify(storage)}, root: ${JSON.stringify(root)} })
    await database.sql\`create table if not exists word (text text)\`
    await database.sql\`insert into word values ('kept')\`
    if (${then === 'closes'}) await database.close()
    process.stdout.write(JSON.stringify(process.getActiveResourcesInfo()))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = textOf(child.stdout)
  const timers = () => (JSON.parse(output()) as string[]).filter(name => name === 'Timeout')
  return { child, done: once(child.stdout, 'data'), ended: once(child, 'close'), timers }
}

test('the embedded database is created at the first start, in UTC, and commits to the disk', async () => {
  const { sql, kind } = await open(unmade)
  const [row]
    = await sql`select current_database() as name, current_setting('timezone') as zone, current_setting('fsync') as fsync, 'É' ilike 'é' as folds`
  expect({ kind, ...row }).toEqual({ kind: 'embedded', name: 'svc', zone: 'UTC', fsync: 'on', folds: true })
})

test('the embedded database is stopped by the last process that closes it, not before', async () => {
  const first = await open()
  const second = await open()
  await close(first)
  expect(await second.sql`select 1 as one`).toEqual([{ one: 1 }])
  await close(second)
  expect(isUp()).toBe(false)
})

test('the embedded database keeps no process alive with a timer after it was closed', async () => {
  const { done, ended, timers } = another('closes')
  await Promise.all([done, ended])
  expect(timers()).toEqual([])
})

test('the embedded database keeps running for an attached process when another one attaches and closes', async () => {
  const { sql } = await open()
  const { done, ended } = another('closes')
  await Promise.all([done, ended])
  expect(await sql`select text from word`).toEqual([{ text: 'kept' }])
})

test('the embedded database outlives a killed starter, keeps commits, and can be attached to again', async () => {
  const { child, done, ended } = another('stays')
  await done
  const pid = serverPid()
  child.kill('SIGKILL')
  await ended
  const database = await open()
  expect(await database.sql`select text from word`).toEqual([{ text: 'kept' }])
  expect(serverPid()).toBe(pid)
})

test('the embedded database starts again after a kill, even if a stale pid file names another process', async () => {
  const before = await open()
  await before.sql`create table word (text text)`
  await before.sql`insert into word values ('kept')`
  process.kill(serverPid(), 'SIGKILL')
  await expect.poll(() => before.sql`select 1`.then(() => 'up', () => 'down')).toBe('down')
  opened.delete(before)

  const file = join(storage, 'postgres/data/postmaster.pid')
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [String(process.pid), ...lines.slice(1)].join('\n'))
  const after = await open()
  expect(await after.sql`select text from word`).toEqual([{ text: 'kept' }])
  await before.close()
})

/** Kills the postmaster and all its processes, as the kernel does when memory runs out. */
function killServer() {
  const pid = serverPid()
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  for (const each of [pid, ...children]) process.kill(each, 'SIGKILL')
}

/** `tests/load/killed-database.test.ts` measures how soon. Here, other tests keep the machine busy. */
const answersAgain = ({ sql }: Database) =>
  expect.poll(() => sql`select 1`.then(() => 'up', () => 'down')).toBe('up')

test('the embedded database starts again when all its processes were killed, and keeps commits', async () => {
  const database = await open()
  await database.sql`create table word (text text)`
  await database.sql`insert into word values ('kept')`
  const heartbeat = startHeartbeat(database, silent)
  for (let turn = 0; turn < 2; turn++) {
    const lost = heartbeat.change()
    killServer()
    await lost
    await answersAgain(database)
  }
  expect(await database.sql`select text from word`).toEqual([{ text: 'kept' }])
  const next = await open() // attached to the same server, which is stopped by the last process that closes it
  await heartbeat.stop()
  await close(database)
  expect(await next.sql`select text from word`).toEqual([{ text: 'kept' }])
  await close(next)
  expect(isUp()).toBe(false)
})

test('the embedded database is not created again if its folder was removed during use', async () => {
  const database = await open()
  const data = join(storage, 'postgres/data')
  process.kill(serverPid(), 'SIGKILL')
  rmSync(data, { recursive: true })
  await expect.poll(() => database.ensureServer().then(() => 'nothing', (error: Error) => error.message)).toBe(
    `${data} is gone: stop the service and put it back from a backup`
  )
  expect(existsSync(data)).toBe(false)
})

test('the embedded database starts again in its old socket folder if the path is too long for a socket', async () => {
  const database = await open(join(storage, 'x'.repeat(100)))
  const heartbeat = startHeartbeat(database, silent)
  const [row] = await database.sql<{ pid: number }[]>`
    select substring(pg_read_file('postmaster.pid') from '^[0-9]+')::int as pid`
  process.kill(row!.pid, 'SIGKILL')
  await heartbeat.change()
  await answersAgain(database)
  await heartbeat.stop()
})

test('the embedded database starts if a stale lock of its socket names another process', async () => {
  const before = await open()
  const file = join(storage, 'postgres/run/.s.PGSQL.5432.lock')
  const lines = readFileSync(file, 'utf8').split('\n')
  await close(before)
  writeFileSync(file, [String(process.pid), ...lines.slice(1)].join('\n'))
  const { sql } = await open()
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('the embedded database respects a lock that its owner holds, even in a renamed folder', async () => {
  const before = await open()
  const pid = serverPid()
  const moved = `${storage}-moved`
  renameSync(storage, moved)
  expect(isRunning(join(moved, 'postgres/data'))).toBe(true)
  renameSync(moved, storage)
  expect(serverPid()).toBe(pid)
  await close(before)
})

test('the embedded database starts once if several processes start it at the same moment', async () => {
  const databases = await Promise.all([open(unmade), open(unmade), open(unmade)])
  const pids = await Promise.all(databases.map(({ sql }) => sql`select pg_postmaster_start_time()::text as at`))
  expect(new Set(pids.map(([row]) => row!.at)).size).toBe(1)
})

test('the embedded database works if the path is too long for a socket', async () => {
  const long = join(storage, 'x'.repeat(100))
  const { sql } = await open(long)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('the embedded database refuses a socket folder that is open to others, a link, or another user\'s', () => {
  const uid = process.getuid!()
  const folder = join(storage, 'run')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  expect(() => refuseForeign(folder, uid)).not.toThrow()
  expect(() => refuseForeign(folder, uid + 1)).toThrow('refusing the folder')
  symlinkSync(folder, join(storage, 'link'))
  expect(() => refuseForeign(join(storage, 'link'), uid)).toThrow('refusing the folder')
  chmodSync(folder, 0o755)
  expect(() => refuseForeign(folder, uid)).toThrow('refusing the folder')
})
