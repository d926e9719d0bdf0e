import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { outsideDeadline, withDeadline } from '../../../server/core/db/request-deadline.ts'
import { copyDatabase, databaseUrl, onServer } from '../../support/database/database-server.ts'
import { root } from '../../support/modules/official.ts'

const { admin, strategy, template } = inject('databases')
const name = `svc_test_${randomBytes(6).toString('hex')}`
let database: Database

beforeAll(async () => {
  await copyDatabase({ admin, strategy }, template, name)
  const config = { database_url: databaseUrl(admin, name), storage: tmpdir(), root }
  database = await openDatabase(config, { max: 2, commits: 1 })
  await database.sql`create table written (word text)`
})
beforeEach(async () => {
  await database.sql`truncate written`
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await database.close()
  await onServer(admin, sql => sql`drop database ${sql(name)} with (force)`)
})

const insert = (word: string) => sql`insert into written values (${word})`
/** The only connection for commits runs statements in order, so that all earlier ones have ended after this one. */
const written = async () => {
  await database.db.execute(insert('last'))
  return (await database.sql<{ word: string }[]>`select word from written order by word`).map(({ word }) => word)
}

const code = (work: Promise<unknown>) => work.then(() => 'done', (error: { code: string }) => error.code)

/**
 * A request that is refused after ten seconds because commits wait. `until` waits until the request has come far
 * enough.
 */
async function refused(run: () => Promise<unknown>, until: () => Promise<unknown> = async () => {}): Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const answer = code(withDeadline(run, async () => true))
  await until()
  await vi.advanceTimersByTimeAsync(10_100)
  vi.useRealTimers()
  return await answer
}

/** Another transaction holds the only connection for commits until it is released. */
async function heldConnection() {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const begun = Promise.withResolvers<boolean>()
  const held = database.db.transaction(async () => {
    begun.resolve(true)
    await promise
  })
  await begun.promise
  return async () => {
    resolve(true)
    await held
  }
}

test.each([
  ['the query builder', () => database.db.execute(insert('alone'))],
  ['a template', async () => await database.sql`insert into written values (${'alone'})`],
  ['plain text', async () => await database.sql.unsafe('insert into written values ($1)', ['alone'])]
])('a single statement of %s that waits for a connection is not written after its request was refused', async (_, run) => {
  const release = await heldConnection()
  expect(await refused(run)).toBe('commits_waiting')
  await release()
  expect(await written()).toEqual(['last'])
})

test('a single statement that waits at the server is rolled back when its request was refused meanwhile', async () => {
  const blocker = database.connect()
  await blocker`begin`
  await blocker`lock table written`
  const isWaiting = async () => {
    while ((await blocker`select 1 from pg_locks where not granted and relation = 'written'::regclass`).length === 0);
  }
  expect(await refused(() => database.db.execute(insert('alone')), isWaiting)).toBe('commits_waiting')
  await blocker`commit`
  await blocker.end()
  expect(await written()).toEqual(['last'])
})

test('a single statement of a request that is in time returns its rows, values and errors', async () => {
  const rows = await withDeadline(async () => [
    [...await database.sql`insert into written values ('a') returning word`],
    [...await database.sql`insert into written values ('b') returning word`.values()],
    [...await database.sql.unsafe('insert into written values ($1) returning word', ['c'])],
    [...await database.db.execute(sql`update written set word = upper(word) where word = 'a' returning word`)]
  ], async () => true)
  expect(rows).toEqual([[{ word: 'a' }], [['b']], [{ word: 'c' }], [{ word: 'A' }]])
  expect(await code(withDeadline(() => database.db.execute(sql`insert into nowhere values (1)`), async () => true)))
    .not.toBe('done')
  await expect(withDeadline(async () => await database.sql`insert into nowhere values (1)`, async () => true))
    .rejects.toMatchObject({ code: '42P01' })
})

test('a request whose first transaction has committed is not stopped before its second one', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const first = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<boolean>()
  const run = async () => {
    await database.db.transaction(tx => tx.execute(insert('first')))
    first.resolve(true)
    await promise
    await database.db.transaction(tx => tx.execute(insert('second')))
    await database.db.execute(insert('third'))
    ended.resolve(true)
  }
  expect(await refused(run, () => first.promise)).toBe('commits_waiting')
  resolve(true)
  await ended.promise
  expect(await written()).toEqual(['first', 'last', 'second', 'third'])
})

test.each([
  ['reads', (tx: Tx) => tx.execute(sql`select * from written`)],
  ['locks rows', (tx: Tx) => tx.execute(sql`select * from written for update`)],
  ['reads in a savepoint', (tx: Tx) => tx.transaction(inner => inner.execute(sql`select * from written`))],
  ['sets how it runs', (tx: Tx) => tx.execute(sql`set local lock_timeout = '5s'`)]
])('a request whose first transaction only %s writes nothing after it was refused', async (_, read) => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const first = Promise.withResolvers<boolean>()
  const outcome = Promise.withResolvers<string>()
  const run = async () => {
    await database.db.transaction(read)
    first.resolve(true)
    await promise
    outcome.resolve(await code(database.db.transaction(tx => tx.execute(insert('late')))))
  }
  expect(await refused(run, () => first.promise)).toBe('commits_waiting')
  resolve(true)
  expect(await outcome.promise).toBe('commits_waiting')
  expect(await written()).toEqual(['last'])
})

test('a write in a savepoint counts as the first commit of its request', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const first = Promise.withResolvers<boolean>()
  const outcome = Promise.withResolvers<string>()
  const run = async () => {
    await database.db.transaction(tx => tx.transaction(inner => inner.execute(insert('first'))))
    first.resolve(true)
    await promise
    outcome.resolve(await code(database.db.execute(insert('second'))))
  }
  expect(await refused(run, () => first.promise)).toBe('commits_waiting')
  resolve(true)
  expect(await outcome.promise).toBe('done')
  expect(await written()).toEqual(['first', 'last', 'second'])
})

test('work that a refused request leaves to run on its own is still written', async () => {
  const release = await heldConnection()
  let left: Promise<unknown>
  const run = () => {
    left = outsideDeadline(() => database.db.transaction(tx => tx.execute(insert('left'))))
    return database.db.transaction(tx => tx.execute(insert('request')))
  }
  expect(await refused(run)).toBe('commits_waiting')
  await release()
  await left!
  expect(await written()).toEqual(['last', 'left'])
})
