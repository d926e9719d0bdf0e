import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TransactionSql } from 'postgres'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { endAbandonedTransactions } from '../../../server/core/db/abandoned-transactions.ts'
import { startHeartbeat } from '../../../server/core/db/heartbeat.ts'
import { toDatabaseProblem } from '../../../server/core/http/database-problems.ts'
import { createLog } from '../../../server/core/log.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'
import { aTcpProxy } from '../../support/database/tcp-proxy.ts'

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

const breakConnections = () =>
  world.database
    .sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc:victim' and datname = current_database()`
const areAsleep = async () =>
  (
    await world.database
      .sql`select 1 from pg_stat_activity where application_name = 'svc:victim' and datname = current_database() and wait_event = 'PgSleep'`
  ).length
const outcome = (work: Promise<unknown>) => work.then(() => 'committed', () => 'failed')
const areEnded = () => [...database.sockets.heard().keys()].every(socket => socket.destroyed)

/** Starts a transaction, breaks its connection after its first statement, then lets it continue. */
async function broken(rest: (tx: TransactionSql) => Promise<unknown>): Promise<string> {
  const signal = new EventTarget()
  const [started, brokenNow] = [once(signal, 'started'), once(signal, 'broken')]
  const work = outcome(database.sql.begin(async (tx) => {
    await tx`select 1`
    signal.dispatchEvent(new Event('started'))
    await brokenNow
    await rest(tx)
  }))
  await started
  // Checks only this process's own sockets, so that the transaction continues right after the break, even if the
  // server takes long to answer.
  const continueRequests = async () => {
    await expect.poll(areEnded, { interval: 5 }).toBe(true)
    signal.dispatchEvent(new Event('broken'))
  }
  await Promise.all([breakConnections(), continueRequests()])
  return work
}

test('a connection that breaks between two statements of a transaction makes only that transaction fail, not the process', async () => {
  expect(await broken(tx => tx`select 1`)).toBe('failed')
  expect(await outcome(database.sql`select 1`)).toBe('committed')
})

test('a transaction that continues after the error, or in a savepoint, ends too', async () => {
  expect(await broken(async (tx) => {
    await tx`select 1`.catch(() => {})
    await tx`select 2`
  })).toBe('failed')
  expect(await broken(tx => tx.savepoint(inner => inner`select 1`))).toBe('failed')
})

test('a late statement of a transaction whose connection broke is refused, and never runs in another transaction', async () => {
  const alone = await openDatabase(world.config, { max: 1, name: 'victim' })
  await world.database.sql`create table said (who text)`
  const { promise: secondBegan, resolve: secondBegins } = Promise.withResolvers<unknown>()
  let second: Promise<string> | undefined
  const first = await outcome(
    alone.sql.begin(async (tx) => {
      await tx`insert into said values ('before')`
      await breakConnections()
      second = outcome(
        alone.sql.begin(async (tx) => {
          secondBegins(null)
          await tx`insert into said values ('second')`
          await world.database.sql`select pg_sleep(1)`
          throw new Error('roll it back')
        })
      )
      // Work between two statements, such as sending a mail or getting a time stamp. It takes longer than the silence
      // after which earlier releases passed a connection on.
      await Promise.race([secondBegan, world.database.sql`select pg_sleep(2)`])
      await tx`insert into said values ('late')`
    })
  )
  expect([first, await second]).toEqual(['failed', 'failed'])
  expect(await world.database.sql`select who from said`).toEqual([])
  expect(await alone.sql`select 1 as one`).toEqual([{ one: 1 }])
  await alone.close()
})

test('a transaction whose connection breaks in the middle of a response ends, and the pool works again', async () => {
  const alone = await openDatabase(world.config, { max: 1, name: 'victim' })
  // The server sends only full buffers of 8 kB, which is half a row here.
  const work = outcome(
    alone.sql.begin(tx => tx`select repeat('x', ${10_000}::int) as text union all select pg_sleep(${60})::text`)
  )
  await expect.poll(areAsleep).toBe(1)
  alone.sockets.renew()
  expect(await work).toBe('failed')
  expect(await alone.sql`select 1 as one`).toEqual([{ one: 1 }])
  await alone.close()
})

test.each([0, 1, 10])('a statement that is sent %i turns after the ROLLBACK of a broken transaction has no effect', async (turns) => {
  const alone = await openDatabase(world.config, { max: 1, name: 'victim' })
  const work = outcome(
    alone.sql.begin((tx) => {
      const first = tx`select pg_sleep(60)`.execute()
      const late = async () => {
        await first.catch(() => {})
        for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve))
        await tx`select 2`
      }
      return Promise.all([first, late()])
    })
  )
  await expect.poll(areAsleep).toBe(1)
  alone.sockets.renew()
  expect(await work).toBe('failed')
  expect(await alone.sql`select 1 as one`).toEqual([{ one: 1 }])
  await alone.close()
})

test('a connection that breaks between COMMIT and its response is replaced', async () => {
  const alone = await openDatabase(world.config, { max: 1, name: 'victim' })
  await world.database.sql.unsafe(`create table slow (id int);
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$;
    create constraint trigger slow after insert on slow deferrable initially deferred for each row execute function slow()`)
  const work = outcome(alone.sql.begin(tx => tx`insert into slow values (1)`))
  await expect.poll(areAsleep).toBe(1)
  await breakConnections()
  expect(await work).toBe('failed')
  expect(await alone.sql`select 1 as one`).toEqual([{ one: 1 }])
  await alone.close()
})

test('pending statements fail at once, and the pool works again', async () => {
  const sleeping = Array.from({ length: 3 }, () => outcome(database.sql.begin(tx => tx`select pg_sleep(60)`)))
  await expect.poll(areAsleep).toBe(3)
  await breakConnections()
  expect(await Promise.all(sleeping)).toEqual(['failed', 'failed', 'failed'])
  const after = Array.from({ length: 10 }, () => outcome(database.sql.begin(tx => tx`select 1`)))
  expect(await Promise.all(after)).toEqual(Array.from({ length: 10 }, () => 'committed'))
})

test('a database that does not respond, or lacks the TLS that the URL requires, is one clear error', async () => {
  const refused = openDatabase({ ...world.config, database_url: 'postgres://nobody:secret@127.0.0.1:1/none' })
  await expect(refused).rejects.toMatchObject({
    name: 'DatabaseError',
    code: 'database_unreachable',
    message: expect.stringContaining('ECONNREFUSED')
  })
  await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('secret') })
})

/** The result as a request would get it. */
const told = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => toDatabaseProblem(error, {})?.code ?? String(error)
  )

/** The database behind a simulated network, and the heartbeat that watches it. */
async function throughAProxy() {
  const [at] = await world.database.sql<{ name: string }[]>`select current_database() as name`
  const proxy = await aTcpProxy(serverOf(world.config.database_url!))
  const url = new URL(`postgres://postgres@127.0.0.1:${proxy.port}/${at!.name}`)
  const { username, password } = new URL(world.config.database_url!)
  Object.assign(url, { username, password })
  const far = await openDatabase({ ...world.config, database_url: url.href }, { max: 3, name: 'far' })
  const heartbeat = startHeartbeat(far, createLog({ production: true, log_level: 'silent' }))
  const close = async () => {
    proxy.newcomers('forward')
    proxy.thaw()
    await heartbeat.stop()
    await far.close()
    await proxy.close()
  }
  return { proxy, far, heartbeat, close }
}

function serverOf(text: string) {
  const url = new URL(text)
  const socket = url.searchParams.get('host')
  return socket
    ? { path: `${socket}/.s.PGSQL.${url.port || 5432}` }
    : { host: url.hostname, port: Number(url.port || 5432) }
}

test('connections that the network has dropped end, and working ones continue', async () => {
  const { proxy, far, heartbeat, close } = await throughAProxy()
  await Promise.all(Array.from({ length: 3 }, () => far.sql`select 1`))
  proxy.freeze()
  const forgotten = told(far.sql`select 1`)
  const heard = far.connect({ max: 1, name: 'far' })
  let isOver = false
  const talk = (async () => {
    while (!isOver) await heard`select pg_sleep(0.05)`
  })()
  expect(await forgotten).toBe('database_unavailable')
  isOver = true
  await talk
  expect(heartbeat.isLost()).toBe(false)
  await expect.poll(() => told(far.sql`select 1`)).toBe('done') // on a busy machine the other two end later
  await close()
}, 60_000)

test('a database that hangs ends everything that waits for it; requests are refused at once until it responds again', async () => {
  const { proxy, far, heartbeat, close } = await throughAProxy()
  await Promise.all(Array.from({ length: 3 }, () => far.sql`select 1`))
  proxy.newcomers('hang')
  proxy.freeze()
  const waiting = [
    far.sql`select 1`,
    far.sql.begin(tx => tx`select 1`),
    ...Array.from({ length: 50 }, () => far.sql`select 1`)
  ].map(told)
  await heartbeat.change()
  expect(heartbeat.isLost()).toBe(true)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['database_unavailable']))
  const refused = await Promise.all(Array.from({ length: 200 }, () => told(far.sql`select 1`)))
  expect(new Set(refused)).toEqual(new Set(['database_unavailable']))
  expect(await heartbeat.answers()).toBe(false)

  const back = heartbeat.change()
  proxy.newcomers('forward')
  proxy.thaw()
  await back
  expect(await told(far.sql.begin(tx => tx`select 1`))).toBe('done')
  expect(await heartbeat.answers()).toBe(true)
  await close()
}, 60_000)

test('a server that accepts connections and closes them at once is refused, not tried forever', async () => {
  const { proxy, far, close } = await throughAProxy()
  proxy.newcomers('refuse')
  proxy.disconnect()
  expect(await told(far.sql`select 1`)).toBe('database_unavailable')
  await close()
}, 60_000)

test('the end of the heartbeat\'s connection does not end the others', async () => {
  const { far, heartbeat, close } = await throughAProxy()
  const work = told(far.sql`select pg_sleep(4)`)
  await world.database
    .sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc:heartbeat' and datname = current_database()`
  expect(await work).toBe('done')
  expect(heartbeat.isLost()).toBe(false)
  await close()
}, 60_000)

test('a transaction that its process forgot is ended, and its locks are released', async () => {
  const vanished = await openDatabase(world.config, { max: 1 })
  const { promise: locked, resolve } = Promise.withResolvers<unknown>()
  const { promise: free, resolve: continueRequests } = Promise.withResolvers<unknown>()
  const left = outcome(vanished.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(4711)`
    resolve(null)
    await free
  }))
  await locked
  await expect.poll(async () => {
    await endAbandonedTransactions(world.database.db, 0)
    return (await world.database.sql`select 1 from pg_locks where locktype = 'advisory' and objid = 4711`).length
  }).toBe(0)
  continueRequests(null)
  expect(await left).toBe('failed')
  await vanished.close()
})
