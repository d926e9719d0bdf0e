import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, test } from 'vitest'
import type { Ctx, EventEnvelope, ModuleDefinition } from '@svc/kit'
import { readConfig } from '../../../server/core/config.ts'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import type { ConnectOptions } from '../../../server/core/db/connection.ts'
import { startHeartbeat, type Heartbeat } from '../../../server/core/db/heartbeat.ts'
import { createActivity } from '../../../server/core/observe/activity.ts'
import { addTick, createEvents, createJobs } from '../../../server/core/events/publish.ts'
import { startWorker } from '../../../server/core/events/worker.ts'
import { createLog } from '../../../server/core/log.ts'
import { toRegistry } from '../../../server/core/modules/registry.ts'
import { createTracing } from '../../../server/core/observe/tracing.ts'
import type { RunningModule, Host } from '../../../server/core/host.ts'
import { eventually } from '../../support/builders.ts'
import { copyDatabase, databaseUrl, onServer } from '../../support/database/database-server.ts'
import { root } from '../../support/modules/official.ts'

const clinic_id = '00000000-0000-4000-8000-000000000001'
const { admin, strategy, template } = inject('databases')
const name = `svc_test_${randomBytes(6).toString('hex')}`
let database: Database
let heartbeat: Heartbeat
const workers: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  await copyDatabase({ admin, strategy }, template, name)
  database = await openDatabase({ database_url: databaseUrl(admin, name), storage: tmpdir(), root })
  heartbeat = startHeartbeat(database, createLog({ production: false, log_level: 'silent' }))
})
afterAll(async () => {
  await heartbeat.stop()
  await database.close()
  await onServer(admin, sql => sql`drop database ${sql(name)} with (force)`)
})
beforeEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.stop()))
  await database.sql`truncate core_event, core_delivery cascade`
})

/** The worker of one process, with one running module. */
async function aWorker(definition: ModuleDefinition, parts: Partial<Host> = {}) {
  const config = readConfig({ LOG_LEVEL: 'silent' }, root)
  const module = {
    name: 'listener',
    version: '1.0.0',
    definition,
    ctx: {} as Ctx,
    manifest: { permissions: [], depends: [] }
  } as unknown as RunningModule
  const log = createLog(config)
  const tracing = await createTracing(config, { log, version: '0.0.0', boot_id: 'test' })
  const host = {
    config,
    database,
    db: database.db,
    log,
    tracing,
    activity: createActivity(),
    registry: toRegistry([module], []),
    ...parts
  } as unknown as Host
  const worker = startWorker(host, heartbeat)
  workers.push(worker)
  return worker
}

const events = createEvents(event => event.startsWith('fact.') ? ['listener'] : [])
const jobs = createJobs('listener')
const publish = (payload: Record<string, unknown>, key?: string) =>
  events.publish(database.db, 'fact.done', { clinic_id, ...payload }, { key })
const pending = async () => (await database.sql`select id from core_delivery where status = 'pending'`).length
const allDone = () => eventually(async () => await pending() === 0, 'delivery of everything')

describe('an event', () => {
  it('is delivered after the commit, with its id and time in the payload, through the transaction of either driver', async () => {
    const seen: EventEnvelope[] = []
    await aWorker({ on: { 'fact.done': async event => void seen.push(event) } })
    await database.db.transaction(tx => events.publish(tx, 'fact.done', { clinic_id, by: 'drizzle' }, { key: 'k' }))
    await database
      .connect()
      .begin(tx => events.publish(tx, 'fact.done', { clinic_id, by: 'postgres.js' }, { key: 'k' }))
    await allDone()
    expect(seen.map(event => event.payload.by)).toEqual(['drizzle', 'postgres.js'])
    expect(seen[0]).toMatchObject({
      name: 'fact.done',
      clinic_id,
      payload: { clinic_id, event_id: seen[0]!.id, occurred_at: seen[0]!.occurred_at.toISOString() }
    })
    expect(BigInt(seen[1]!.seq)).toBeGreaterThan(BigInt(seen[0]!.seq))
  })

  it('of a transaction that is rolled back is not delivered', async () => {
    const seen: unknown[] = []
    await aWorker({ on: { 'fact.done': async event => void seen.push(event.payload.n) } })
    await expect(database.db.transaction(async (tx) => {
      await events.publish(tx, 'fact.done', { clinic_id, n: 'never' })
      throw new Error('rolled back')
    })).rejects.toThrow('rolled back')
    await publish({ n: 'after' })
    await allDone()
    expect(seen).toEqual(['after'])
  })

  it('whose handler fails is tried again, and delays only its own line', async () => {
    const seen: unknown[] = []
    let failures = 0
    await aWorker({
      on: {
        async 'fact.done'(event) {
          // It fails twice, and until the other line was delivered, even if that is slow.
          if (event.payload.n === 2 && (failures < 2 || !seen.includes('b1'))) {
            failures += 1
            throw new Error('not yet')
          }
          seen.push(`${event.payload.line}${event.payload.n}`)
        }
      }
    })
    for (const n of [1, 2, 3]) await publish({ n, line: 'a' }, 'a')
    await publish({ n: 1, line: 'b' }, 'b')
    await eventually(async () => seen.includes('b1'), 'the other line')
    expect(seen).not.toContain('a3')
    await allDone()
    expect(seen.filter(entry => String(entry).startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
    const [row] = await database.sql`select attempts from core_delivery where attempts > 1`
    expect(row!.attempts).toBe(failures + 1)
  })

  it('is delivered once and in order per line, even with several processes', async () => {
    const seen: number[][] = Array.from({ length: 10 }, () => [])
    const definition: ModuleDefinition = {
      on: { 'fact.done': async event => void seen[event.payload.line]!.push(event.payload.n) }
    }
    await Promise.all([aWorker(definition), aWorker(definition), aWorker(definition)])
    for (let n = 0; n < 12; n++) await Promise.all(seen.map((_, line) => publish({ n, line }, `line ${line}`)))
    await allDone()
    expect(seen).toEqual(seen.map(() => Array.from({ length: 12 }, (_, n) => n)))
  })

  it('for a module that does not run waits until it does, even if its notification was lost', async () => {
    const lost = createEvents(() => ['listener'])
    await lost.publish(database.db, 'fact.done', { clinic_id, n: 1 }, { key: 'k' })
    expect(await pending()).toBe(1)
    const seen: unknown[] = []
    await aWorker({ on: { 'fact.done': async event => void seen.push(event.payload.n) } })
    await allDone()
    expect(seen).toEqual([1])
  })
})

test('a worker that cannot listen delivers what it finds, and listens as soon as it can', async () => {
  const seen: unknown[] = []
  let refusals = 0
  let isRefusing = true
  const deaf: Database = Object.create(database, {
    connect: {
      value(options: ConnectOptions = {}) {
        if (!options.name?.startsWith('work:') || !isRefusing) return database.connect(options)
        refusals += 1
        throw new Error('too many connections')
      }
    }
  })
  await publish({ n: 1 })
  await aWorker({ on: { 'fact.done': async event => void seen.push(event.payload.n) } }, { database: deaf })
  await allDone()
  await eventually(async () => refusals > 1, 'the end of the first look')
  await publish({ n: 2 })
  await allDone()
  expect(seen).toEqual([1, 2])
  isRefusing = false
  await eventually(async () => (await listeners()).length === 1, 'a listener')
})

const listeners = () => database.sql`
  select pid from pg_stat_activity where application_name like 'svc:work:%' and datname = current_database() and query ilike 'listen%'`

test('a worker whose listening connection breaks listens again, and misses nothing', async () => {
  const seen: unknown[] = []
  await aWorker({ on: { 'fact.done': async event => void seen.push(event.payload.n) } })
  await eventually(async () => (await listeners()).length === 1, 'a listener')
  const [first] = await listeners()
  await database.sql`select pg_terminate_backend(${first!.pid})`
  await publish({ n: 1 })
  await allDone()
  await eventually(async () => (await listeners()).some(({ pid }) => pid !== first!.pid), 'another listener')
  await publish({ n: 2 })
  await allDone()
  expect(seen).toEqual([1, 2])
})

test('deliveries whose result cannot be written are repeated, and the worker continues with others', async () => {
  await database.sql.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'cannot execute UPDATE in a read-only transaction' using errcode = '25006';
    end $$;
    create trigger refuse before update on core_delivery for each row
      when (new.status = 'done' and new.line <> 'event:free') execute function refuse()`)
  const seen: unknown[] = []
  await aWorker({ on: { 'fact.done': async event => void seen.push(event.payload.n) } })
  for (const n of [1, 2, 3, 4, 5]) await publish({ n }, `held ${n}`)
  await eventually(async () => new Set(seen).size === 5, 'the first attempts')
  await publish({ n: 'free' }, 'free')
  await eventually(async () => seen.includes('free') && await pending() === 5, 'the line that nothing refuses')
  await database.sql.unsafe('drop function refuse() cascade')
  await allDone()
  for (const n of [1, 2, 3, 4, 5]) expect(seen.filter(of => of === n).length).toBeGreaterThan(1)
})

test('an event whose key is too long for a notification is delivered like any other', async () => {
  const seen: unknown[] = []
  await aWorker({ on: { 'fact.done': async event => void seen.push(event.payload.n) } })
  await publish({ n: 1 }, 'k'.repeat(9000))
  await allDone()
  expect(seen).toEqual([1])
})

test('deliveries without a notification are found while a handler of another line takes long', async () => {
  const seen: unknown[] = []
  const long = Promise.withResolvers<undefined>()
  await aWorker({
    on: {
      'fact.done': async ({ payload: { n } }) => {
        if (n === 'long') await long.promise
        seen.push(n)
      }
    }
  })
  await publish({ n: 'long' }, 'long')
  const quiet = database.connect({ name: 'quiet' }) // its transactions send no notification
  for (const n of [1, 2, 3]) {
    await quiet.begin(tx => events.publish(tx, 'fact.done', { clinic_id, n }, { key: `quiet ${n}` }))
    await eventually(async () => seen.includes(n), `delivery ${n} beside the long one`)
  }
  expect(seen).toEqual([1, 2, 3])
  long.resolve(undefined)
  await allDone()
  await quiet.end()
})

test('a transaction that was rolled back sends no notification', async () => {
  const heard: string[] = []
  const { unlisten } = await database.sql.listen('svc_work', text => void heard.push(text))
  const failing = database.db.transaction(async (tx) => {
    await events.publish(tx, 'fact.done', { clinic_id }, { key: 'rolled back' })
    throw new Error('not this one')
  })
  await expect(failing).rejects.toThrow('not this one')
  await events.publish(database.db, 'fact.done', { clinic_id }, { key: 'last' })
  await eventually(async () => heard.some(text => text.includes('last')), 'the last notice')
  expect(heard.filter(text => text.includes('rolled back'))).toEqual([])
  await unlisten()
})

test('a transaction sends its notifications when it has committed, and not before', async () => {
  const heard: string[] = []
  const { unlisten } = await database.sql.listen('svc_work', text => void heard.push(text))
  const hasHeard = (text: string) => eventually(async () => heard.includes(text), `the notice ${text}`)
  await database.db.transaction(async (tx) => {
    await events.publish(tx, 'fact.done', { clinic_id }, { key: 'kept' })
    await tx.transaction(inner => jobs.add(inner, 'work', {}, { key: 'kept' }))
    await database.connect()`select pg_notify('svc_work', '"meanwhile"')`
    await hasHeard('"meanwhile"')
  })
  await hasHeard(JSON.stringify({ module: 'listener', line: 'job:kept' }))
  expect(heard).toEqual([
    '"meanwhile"',
    JSON.stringify({ module: 'listener', line: 'event:kept' }),
    JSON.stringify({ module: 'listener', line: 'job:kept' })
  ])
  await unlisten()
})

test('the event of a process that is killed between its commit and its notification is delivered', async () => {
  const seen: unknown[] = []
  await aWorker({ on: { 'fact.done': async event => void seen.push(event.payload.by) } })
  const script = join(root, 'tests/support/database/publish-and-die.ts')
  const signal = await new Promise(resolve =>
    execFile(process.execPath, [script, databaseUrl(admin, name), 'listener'], error => resolve(error?.signal))
  )
  expect(signal).toBe('SIGKILL')
  await allDone()
  expect(seen).toEqual(['a killed process'])
})

describe('an installed module', () => {
  it('that could not be started gets its events when it runs again', () => {
    const registry = toRegistry(
      [],
      [{
        name: 'ailing',
        reason: 'its migration failed',
        routes: [],
        subscribes: ['fact.done'],
        guards: [],
        clauses: []
      }]
    )
    expect(registry.subscribers('fact.done')).toEqual(['ailing'])
    expect(registry.subscribers('fact.other')).toEqual([])
  })
})

describe('a job', () => {
  it('runs after the commit with its payload, and gets the number of its attempt', async () => {
    const seen: unknown[] = []
    await aWorker({
      jobs: {
        work: {
          async run(payload, _ctx, { attempt }) {
            seen.push([payload.n, attempt])
            if (attempt === 1) throw new Error('again')
          }
        }
      }
    })
    await database.db.transaction(tx => jobs.add(tx, 'work', { n: 7 }, { key: 'k' }))
    await allDone()
    expect(seen).toEqual([[7, 1], [7, 2]])
  })

  it('on a schedule is not queued again while its last run is still being tried', async () => {
    await addTick(database.db, { module: 'listener', name: 'work' })
    await addTick(database.db, { module: 'listener', name: 'work' })
    expect(await pending()).toBe(1)
  })

  it('that is running delays no migration, and is done once even if a migration delays its end', async () => {
    const [started, finish] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()]
    let runs = 0
    await aWorker({
      jobs: {
        work: {
          async run() {
            runs += 1
            started.resolve(null)
            await finish.promise
          }
        }
      }
    })
    await jobs.add(database.db, 'work', {})
    await started.promise
    await database.sql.begin(async (tx) => {
      await tx`set local lock_timeout = '20s'`
      await tx`lock table core_event, core_delivery in access exclusive mode`
      finish.resolve(null)
      await tx`select pg_sleep(11)` // longer than the wait for the line
    })
    await allDone()
    expect(runs).toBe(1)
  })

  it('that is running when the process must stop is finished first', async () => {
    const [started, finish] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()]
    const worker = await aWorker({
      jobs: {
        work: {
          async run() {
            started.resolve(null)
            await finish.promise
          }
        }
      }
    })
    await jobs.add(database.db, 'work', {})
    await started.promise
    const stopped = worker.stop()
    finish.resolve(null)
    await stopped
    expect(await pending()).toBe(0)
    workers.pop()
  })
})
