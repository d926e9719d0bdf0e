import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TransactionSql } from 'postgres'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { aWorld, type World } from '../support/modules.ts'

let world: World
let database: Database
beforeEach(async () => {
  world = await aWorld()
  database = await openDatabase(world.config, { max: 3, name: 'victim' })
})
afterEach(async () => {
  await database.close()
  await world.close()
})

const breakConnections = () => world.database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc:victim'`
const outcome = (work: Promise<unknown>) => work.then(() => 'committed', () => 'failed')
const isGone = async (pid: number) => (await world.database.sql`select 1 from pg_stat_activity where pid = ${pid}`).length === 0

/** Starts a transaction, breaks its connection once it has said hello, then lets it go on. */
async function broken(rest: (tx: TransactionSql) => Promise<unknown>): Promise<string> {
  const signal = new EventTarget()
  const [started, brokenNow] = [once(signal, 'started'), once(signal, 'broken')]
  const work = outcome(database.sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    signal.dispatchEvent(Object.assign(new Event('started'), { pid: row!.pid }))
    await brokenNow
    await rest(tx)
  }))
  const [{ pid }] = await started as [Event & { pid: number }]
  await breakConnections()
  await expect.poll(() => isGone(pid)).toBe(true)
  signal.dispatchEvent(new Event('broken'))
  return work
}

test('a connection that breaks between two statements of a transaction fails that transaction only, not the process', async () => {
  expect(await broken(tx => tx`select 1`)).toBe('failed')
  expect(await outcome(database.sql`select 1`)).toBe('committed')
})

test('a transaction that goes on after the error, or in a savepoint, ends too', async () => {
  expect(await broken(async (tx) => {
    await tx`select 1`.catch(() => {})
    await tx`select 2`
  })).toBe('failed')
  expect(await broken(tx => tx.savepoint(inner => inner`select 1`))).toBe('failed')
})

test('statements in flight fail at once, and the pool works again', async () => {
  const sleeping = Array.from({ length: 3 }, () => outcome(database.sql.begin(tx => tx`select pg_sleep(60)`)))
  await expect.poll(async () => (await world.database.sql`select 1 from pg_stat_activity where application_name = 'svc:victim' and query like '%pg_sleep%' and state = 'active'`).length).toBe(3)
  await breakConnections()
  expect(await Promise.all(sleeping)).toEqual(['failed', 'failed', 'failed'])
  const after = Array.from({ length: 10 }, () => outcome(database.sql.begin(tx => tx`select 1`)))
  expect(await Promise.all(after)).toEqual(Array.from({ length: 10 }, () => 'committed'))
})

test('a database that does not answer, or a URL that asks for TLS it has not, is one clear error', async () => {
  const refused = openDatabase({ ...world.config, database_url: 'postgres://nobody:secret@127.0.0.1:1/none' })
  await expect(refused).rejects.toMatchObject({ name: 'DatabaseError', code: 'database_unreachable', message: expect.stringContaining('ECONNREFUSED') })
  await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('secret') })
})
