import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { takeBootLock } from '../../../server/core/db/lock.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import type { Built } from '../../support/browser/built.ts'
import { SECRET, stop } from '../../support/browser/built-server.ts'
import { root } from '../../support/modules/official.ts'
import { anOwnServer, type OwnServer } from '../../support/browser/own-server.ts'
import { openWire, parseAnswers } from '../../support/wire.ts'

/** The tests send SIGTERM to the built server, as a container runtime does. */
let own: OwnServer
let built: Built
beforeAll(async () => {
  own = await anOwnServer()
  built = own.built
}, 120_000)
beforeEach(async () => {
  if (own.process.exitCode !== null) await own.startAgain()
})
afterAll(() => own.close())

interface Answer { status: number | string, connection?: string }

function get(path: string, agent: Agent | false): Promise<Answer> {
  return new Promise((resolve) => {
    request(`${built.url}${path}`, { agent }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode!, connection: response.headers.connection }))
    }).on('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.message })).end()
  })
}

it('a stopping server reports not ready, answers once more on old and new connections, and exits with 0', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect((await get('/health', agent)).connection).toBe('keep-alive')
  const exit = once(own.process, 'exit')
  own.process.kill('SIGTERM')
  await eventually(async () => (await get('/readyz', false)).status === 503, 'not being ready')
  // Both happen at the same time: two seconds later the server is closed.
  expect(await Promise.all([get('/health', agent), get('/health', false)])).toEqual([
    { status: 200, connection: 'close' },
    { status: 200, connection: 'close' }
  ])
  expect(await exit).toEqual([0, null])
})

it('fifty accepts during a stop are stored once when answered, and completely or not at all otherwise', async () => {
  const budgets = await Promise.all(Array.from({ length: 50 }, () => aSentBudget(built)))
  const patients = await Promise.all(budgets.map(budget => aVerifiedPatient(built, budget)))
  const exit = once(own.process, 'exit')
  let answered = 0
  const answers = budgets.map((budget, index) =>
    patients[index]!.post(`${budget.base}/accept`, ACCEPTANCE).then(
      ({ status }) => {
        if (++answered === 5) own.process.kill('SIGTERM')
        return status
      },
      () => null
    )
  )
  const told = await Promise.all(answers)
  expect(await exit).toEqual([0, null])
  expect(told.filter(status => status === 200).length).toBeGreaterThanOrEqual(5)

  const rows = await built.sql`
    select b.id, b.status, (select count(*)::int from budget_signature s where s.budget_id = b.id) as records,
           (select count(*)::int from core_event e where e.name = 'budget.accepted' and e.payload->>'budget_id' = b.id::text) as events
    from budget b where id = any(${budgets.map(budget => budget.id)})`
  for (const [index, { id }] of budgets.entries()) {
    const { status, records, events } = rows.find(row => row.id === id)!
    const accepted = { status: 'accepted', records: 1, events: 1 }
    expect({ status, records, events }).toEqual(
      told[index] === 200 || status === 'accepted' ? accepted : { status: 'sent', records: 0, events: 0 }
    )
  }
})

it(
  'a thousand silent and idle connections and an endless body do not delay the stop beyond its limit',
  { timeout: 180_000 },
  async () => {
    const wires = await Promise.all(Array.from({ length: 1000 }, () => openWire(built.url)))
    for (const wire of wires.slice(0, 500)) wire.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually(async () => wires.slice(0, 500).every(wire => wire.soFar().includes('HTTP/1.1 200')), 'answers')
    const staff = await built.as('admin')
    const budget = await aSentBudget(built)
    const loris = await openWire(built.url)
    loris.send(
      `POST ${budget.base}/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    )
    expect((await staff.get(`${BUDGETS}/${budget.id}`)).status).toBe(200)

    const begun = performance.now()
    const exit = once(own.process, 'exit')
    own.process.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    expect(performance.now() - begun).toBeLessThan(20_000) // ten seconds, and more on a busy machine
    await Promise.all(wires.map(wire => wire.closed))
  }
)

it('waiting requests are answered at once with a time to retry when the server stops during its start', async () => {
  await stop(own.process)
  const database = await openDatabase(
    readConfig({ DATABASE_URL: own.databaseUrl, SVC_STORAGE: built.storage, SVC_SECRET: SECRET }, root),
    { max: 1, name: 'test' }
  )
  const lock = await takeBootLock(database)
  try {
    await own.beginAgain()
    await eventually(async () => (await get('/livez', false)).status === 200, 'being alive')
    const held = await openWire(built.url)
    held.send('GET /api/v1/public/budgets/x HTTP/1.1\r\nHost: x\r\n\r\n')
    await eventually(
      async () => (await get('/livez', false)).status === 200,
      'an answer to who came after the one that waits'
    )
    const exit = once(own.process, 'exit')
    own.process.kill('SIGTERM')
    const [answer] = parseAnswers(await held.closed)
    expect([answer!.status, answer!.body.code]).toEqual([503, 'starting'])
    expect(await exit).toEqual([0, null])
  } finally {
    await lock.release()
    await database.close()
  }
})
