import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../../server/core/people/tokens/create-token.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import { revokeToken } from '../../../server/core/people/tokens/revoke-token.ts'
import { readConfig } from '../../../server/core/config.ts'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { startEmbedded, type Embedded } from '@svc/embedded-postgres'
import { LOGIN } from '../../support/accounts.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually, type SentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { SECRET, startBuilt, stop } from '../../support/browser/built-server.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { aFolder, freePort, until } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'
import { putPackage } from '../../support/modules/packages.ts'
import { aProxy, type Proxy } from '../../support/outside/proxy.ts'
import { aReceiver, type Receiver } from '../../support/outside/receiver.ts'
import { WEBHOOKS } from '../../support/webhooks.ts'

/** Three built servers as in `docs/operations/scale-out.md`, each with its own folder, and with shared documents. */
const COUNT = 3
const DAILY = ['remove-old-sessions', 'trim-logs']
const folder = aFolder()
let embedded: Embedded
let database: Database
let proxy: Proxy
let places: Place[]
let receiver: Receiver
/** All its requests pass through the proxy. */
let built: Built
let admin: Caller

interface Place {
  env: Record<string, string>
  url: string
  /** Set once it is running. */ server?: ChildProcess
  exits: (number | null)[]
}

/** Acts like a container runtime: a server that ends is started again until it is no longer wanted. */
async function run(place: Place): Promise<void> {
  const { server } = await startBuilt(place.env)
  place.server = server
  server.once('exit', (code) => {
    place.exits.push(code)
    if (!isOver) starting.push(run(place))
  })
}
let isOver = false
const starting: Promise<void>[] = []

beforeAll(async () => {
  const ports = await Promise.all(Array.from({ length: COUNT }, () => freePort()))
  proxy = await aProxy(ports.map(port => `http://127.0.0.1:${port}`))
  receiver = await aReceiver()
  embedded = await startEmbedded({ storage: folder.path, root })
  mkdirSync(join(folder.path, 'documents'), { recursive: true })
  places = ports.map((port) => {
    const storage = join(folder.path, `instance-${port}`)
    mkdirSync(storage)
    symlinkSync(join(folder.path, 'documents'), join(storage, 'documents'))
    const env = {
      DATABASE_URL: embedded.url(),
      SVC_BASE_URL: proxy.url,
      SVC_STORAGE: storage,
      PORT: String(port),
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true'
    }
    return { env, url: `http://127.0.0.1:${port}`, exits: [] }
  })
  await run(places[0]!)
  database = await openDatabase(readConfig({ ...places[0]!.env, SVC_SECRET: SECRET }, root), { max: 4, name: 'test' })
  await startWithSomethingDue(places.slice(1))
  built = await aBuiltInstance({ url: proxy.url, databaseUrl: embedded.url(), storage: places[0]!.env.SVC_STORAGE! })
  admin = createCaller(proxy.url, {
    bearer: (
      await createToken(
        { db: database.db, secrets: createSecrets({ secret: SECRET, secret_previous: null, storage: '' }) },
        { scope: 'admin' }
      )
    ).token
  })
}, 120_000)

afterAll(async () => {
  isOver = true
  await Promise.all(starting)
  await Promise.all(places.map(({ server }) => server && stop(server)))
  await proxy.close()
  await receiver.close()
  await built.close()
  await database.close()
  await embedded.release()
  folder.remove()
})

/** Daily schedules are due while the other instances start, and no instance gets a turn before both want one. */
async function startWithSomethingDue(others: Place[]) {
  const isScheduled = async () =>
    (await database.sql`select 1 from core_schedule where module_name = 'budget' and name = any(${DAILY})`).length
    === DAILY.length
  await until(isScheduled, 60_000)
  await database.sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('core_schedule'))`
    await sql`update core_schedule set next_at = now() - interval '1 second' where module_name = 'budget' and name = any(${DAILY})`
    await Promise.all(others.map(run))
    const areWaiting = async () =>
      (
        await database.sql`
      select 1 from pg_locks where locktype = 'advisory' and not granted and objid = (hashtext('core_schedule')::bigint & 4294967295)::oid`
      ).length >= others.length
    await until(areWaiting, 60_000)
  })
}

/** The same browser, without the proxy. */
function at(place: Place, browser: Caller): Caller {
  const caller = createCaller(place.url)
  for (const [name, cookie] of browser.cookies) caller.cookies.set(name, cookie)
  return caller
}

const everywhere = <T>(ask: (place: Place) => Promise<T>) => Promise.all(places.map(ask))
const tally = (values: (string | number)[]) =>
  Object.fromEntries([...new Set(values)].sort().map(value => [value, values.filter(other => other === value).length]))
const filesOf = (budget: SentBudget) =>
  readdirSync(join(folder.path, 'documents'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.parentPath.includes(budget.id))
    .map(({ name }) => name)

test('wrong codes are counted over all instances: ten at once get four answers and a lock for every code', async () => {
  const budget = await aSentBudget(built)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => built.anonymous().post(`${budget.base}/verify`, { code: '000000' }))
  )
  expect(tally(answers.map(({ body }) => body.code))).toEqual({ code_wrong: 4, link_locked: 6 })
  expect(answers.flatMap(({ body }) => body.attempts_left ?? []).sort()).toEqual([1, 2, 3, 4])
  const right = await everywhere(place => createCaller(place.url).post(`${budget.base}/verify`, { code: budget.code }))
  expect(right.map(({ body }) => body.code)).toEqual(['link_locked', 'link_locked', 'link_locked'])
})

test('a limit applies to all instances together: five of twelve simultaneous sign-ins are processed', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      built.anonymous().post(LOGIN, { email: 'nobody@clinic.test', password: 'a wrong password' })
    )
  )
  expect(tally(answers.map(({ status }) => status))).toEqual({ 401: 5, 429: 7 })
  const later = await everywhere(place =>
    createCaller(place.url).post(LOGIN, { email: 'nobody@clinic.test', password: 'a wrong password' })
  )
  expect(later.map(({ status }) => status)).toEqual([429, 429, 429])
})

test('a session is valid at all instances, and ended at all when it is ended at one', async () => {
  const staff = built.anonymous()
  staff.cookies.set('svc_session@/', { value: await built.session('dentist'), path: '/' })
  const budget = await aSentBudget(built)
  const patient = await aVerifiedPatient(built, budget)
  const token = await createToken(
    { db: database.db, secrets: createSecrets({ secret: SECRET, secret_previous: null, storage: '' }) },
    { scope: 'admin' }
  )
  const read = async (place: Place) => (await Promise.all([
    at(place, staff).get('/api/v1/me'),
    at(place, patient).get(budget.base),
    createCaller(place.url, { bearer: token.token }).get('/api/v1/modules')
  ])).map(({ status }) => status)
  expect(await everywhere(read)).toEqual(places.map(() => [200, 200, 200]))

  expect((await at(places[0]!, staff).post('/api/v1/auth/logout')).status).toBe(204)
  expect((await at(places[1]!, patient).delete(`${budget.base}/session`)).status).toBe(204)
  await revokeToken(
    { db: database.db, secrets: createSecrets({ secret: SECRET, secret_previous: null, storage: '' }) },
    token.id
  )
  expect(await everywhere(read)).toEqual(places.map(() => [401, 401, 401]))
})

test('an acceptance sent to all instances at once succeeds once, with one event, invoice, PDF, message', async () => {
  const path = '/accepted'
  const staff = await built.as('admin')
  expect((await staff.post(WEBHOOKS, { url: receiver.url + path, events: ['budget.accepted'] })).status).toBe(201)
  const budgets = await Promise.all(Array.from({ length: 2 }, () => aSentBudget(built)))
  for (const budget of budgets) {
    const patient = await aVerifiedPatient(built, budget)
    const answers = await everywhere(place => at(place, patient).post(`${budget.base}/accept`, ACCEPTANCE))
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: COUNT - 1 })
  }
  const { sql } = built
  const ids = budgets.map(({ id }) => id)
  await allDone()
  const rows = await sql`
    select signed_pdf_status as pdf, (select count(*)::int from budget_signature s where s.budget_id = b.id) as records,
           (select count(*)::int from core_event e where e.name = 'budget.accepted' and e.payload->>'budget_id' = b.id::text) as events,
           (select count(*)::int from billing_invoice i where i.budget_id = b.id) as invoices
    from budget b where id = any(${ids})`
  expect(rows.map(row => ({ ...row }))).toEqual(
    budgets.map(() => ({ pdf: 'ready', records: 1, events: 1, invoices: 1 }))
  )
  expect(budgets.map(budget => filesOf(budget).length)).toEqual([1, 1])
  const told = await receiver.at(path, budgets.length)
  expect(told.map(({ json }) => json.data?.budget_id ?? json.budget_id).sort()).toEqual([...ids].sort())
})

/** Every event and job that exists, each of them once. */
async function allDone() {
  // Both are read in one query, because a schedule can run between two.
  const others = await eventually(async () => {
    const rows
      = await built.sql`select module_name, name, status, attempts from core_delivery where status = 'pending' or attempts <> 1`
    return rows.every(({ status }) => status !== 'pending') && rows
  }, 'the end of all deliveries')
  expect(others).toEqual([])
}

test('a scheduled install and a restart of one instance happen once for all, and no reader gets an error', async () => {
  for (const { env } of places) putPackage(env.SVC_STORAGE!, 'svc-module-recall')
  const budget = await aSentBudget(built)
  const patient = await aVerifiedPatient(built, budget)
  const before = await Promise.all(places.map(bootIdOf))
  let going = true
  const answers: (number | string)[] = []
  const readers = Array.from({ length: 4 }, async () => {
    while (going)
      answers.push(
        await patient.get(budget.base).then(
          ({ status, bytes }) => (status === 502 ? bytes.toString() : status),
          (error: Error) => error.message
        )
      )
  })
  expect((await admin.post('/api/v1/modules/recall/install', {})).status).toBe(202)
  expect((await admin.post('/api/v1/modules/-/restart')).status).toBe(202)
  await until(async () => places.every(({ exits }) => exits.length === 1), 90_000)
  await Promise.all(starting)
  going = false
  await Promise.all(readers)

  expect(places.map(({ exits }) => exits)).toEqual(places.map(() => [0]))
  expect([...new Set(answers)]).toEqual([200])
  expect(proxy.repeated()).toBeLessThanOrEqual(2 * COUNT)
  expect(new Set([...before, ...(await Promise.all(places.map(bootIdOf)))]).size).toBe(2 * COUNT)
  const steps
    = await built.sql`select step, status, attempt from core_module_operation_log where module_name = 'recall' order by id`
  expect(steps.map(row => ({ ...row }))).toEqual(
    ['migrate', 'seed', 'lifecycle', 'finalize'].map(step => ({ step, status: 'completed', attempt: 1 }))
  )
  expect((await built.sql`select what from recall_history`).map(({ what }) => what)).toEqual(['install'])
  const bearer = await built.session('admin')
  const recalls = await everywhere(({ url }) => createCaller(url, { bearer }).get('/api/v1/recall/recalls'))
  expect(recalls.map(({ status }) => status)).toEqual([200, 200, 200])
})

const bootIdOf = async ({ url }: Place) => (await createCaller(url).get('/readyz')).body.boot_id as string

test('a schedule that was due when two instances started at once has run once', async () => {
  await allDone()
  const ticks
    = await built.sql`select name, count(*)::int as times from core_delivery where module_name = 'budget' and name = any(${DAILY}) group by name order by name`
  expect(ticks.map(row => ({ ...row }))).toEqual(DAILY.map(name => ({ name, times: 1 })))
})
