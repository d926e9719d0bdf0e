import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient } from '../support/builders.ts'
import { aBuiltInstance, type Built } from '../support/browser/built.ts'
import { SECRET } from '../support/browser/built-server.ts'
import { createCaller, type Answer } from '../support/caller.ts'
import { until } from '../support/cli.ts'
import { aMailbox, type Mailbox } from '../support/outside/mailbox.ts'
import { aReceiver, type Receiver } from '../support/outside/receiver.ts'
import { WEBHOOKS } from '../support/webhooks.ts'
import { aCluster, whatIsMissing, type Cluster, type Command, type DatabaseNode } from './support/cluster.ts'
import { accept, expectEachOnce, failuresOf, inTime, makeVisits, type Visit } from './support/visits.ts'

const AT_ONCE = 4
const BUDGETS = 32
/** In the worst case a returning standby is rebuilt from the primary. */
const FOLLOWS_MS = 90_000
const missing = whatIsMissing()
const say = (line: string) => process.stderr.write(`cluster: ${line}\n`)
const seconds = (since: number) => (performance.now() - since) / 1000
if (missing) say(`these trials are skipped. ${missing}`)

let undo: (() => unknown)[]
let cluster: Cluster
let mailbox: Mailbox
let receiver: Receiver
let instance: Built
/** The clean-up steps that remain when a trial fails. */
const repairs: ['start' | 'reconnect', DatabaseNode[]][] = []

describe.skipIf(missing)('the cluster of deploy/ha, started by its script,', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    undo = []
    const opened = <T extends { close (): unknown }>(what: T): T => {
      undo.push(() => what.close())
      return what
    }
    const began = performance.now()
    cluster = opened(await aCluster())
    say(`Patroni ${cluster.version}, a primary and two standbys after ${seconds(began).toFixed(1)} s`)
    mailbox = opened(await aMailbox())
    receiver = opened(await aReceiver())
    await cluster.startService({
      SVC_SECRET: SECRET,
      SVC_SMTP_URL: `${await cluster.reach(mailbox.url)}?tls=never`,
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'warn'
    })
    const { url, databaseUrl, storage } = cluster
    instance = opened(await aBuiltInstance({ url, databaseUrl, storage }))
    await (await instance.as('admin')).patch('/api/v1/clinic', { email: 'desk@clinic.test', notify_decisions: true })
  }, 300_000)

  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  beforeEach(async () => {
    await cluster.whole()
    await until(async () => (await createCaller(cluster.url).get('/health', inTime())).status === 200, 60_000)
  })
  afterEach(restore)

  test('loses or doubles no decision when the primary loses power while patients accept', async () => {
    const url = await cluster.reach(receiver.url)
    const webhook = { url: `${url}/primary`, events: ['budget.accepted'] }
    expect((await (await instance.as('admin')).post(WEBHOOKS, webhook)).status).toBe(201)
    const primary = (await cluster.primary())!
    const { all, gap, back } = await acceptThrough(async () => {
      const killed = performance.now()
      await lose('kill', primary)
      await until(async () => ![null, primary].includes(await cluster.primary()), 120_000)
      say(`primary killed: another one after ${seconds(killed).toFixed(1)} s`)
    })
    say(`primary killed: no decision for ${gap.toFixed(1)} s`)
    await until(async () => all.every(isNoticed), 120_000)
    say(`primary killed: the last email to staff ${seconds(back).toFixed(1)} s after decisions were possible again`)
    expect(seconds(back)).toBeLessThan(90)
    await expectEachOnce(instance, all)
    const arrived = () => new Set(receiver.received.map(({ json }) => json.data.budget_id))
    await until(async () => all.every(({ budget }) => arrived().has(budget.id)), 120_000)
    const started = performance.now()
    await restore()
    await cluster.whole()
    say(`primary killed: a standby again ${seconds(started).toFixed(1)} s after its start`)
    expect(await cluster.standbys()).toContain(primary)
  })

  test('elects a new primary when PostgreSQL is frozen while Patroni runs, and all other nodes follow it', async () => {
    const primary = (await cluster.primary())!
    const { all, gap } = await acceptThrough(async () => {
      const stopped = performance.now()
      cluster.signalPostgres(primary, 'SIGSTOP')
      await until(async () => ![null, primary].includes(await cluster.primary()), 120_000)
      say(`PostgreSQL stopped: another primary after ${seconds(stopped).toFixed(1)} s`)
    })
    say(`PostgreSQL stopped: no decision for ${gap.toFixed(1)} s`)
    const woken = performance.now()
    cluster.signalPostgres(primary, 'SIGCONT')
    await until(async () => {
      const standbys = await cluster.standbys()
      return standbys.length === 2 && standbys.includes(primary)
    }, FOLLOWS_MS)
    say(`PostgreSQL stopped: both standbys stream ${seconds(woken).toFixed(1)} s after it runs again`)
    expect(await cluster.primary()).not.toBe(primary)
    await expectEachOnce(instance, all)
  })

  test.each(['kill', 'disconnect'] as const)('keeps deciding without refusals when it loses a standby (%s)', async (how) => {
    const [first] = await cluster.standbys()
    const { all, answers, gap } = await acceptThrough(() => lose(how, first!))
    say(`one standby, ${how}: no decision for ${gap.toFixed(1)} s`)
    expect(answers.filter(({ status }) => status >= 400).map(({ status, body }) => [status, body])).toEqual([])
    await expectEachOnce(instance, all)
  })

  test('serves codes and reads without standbys, answers decisions with 503, and then makes each once', async () => {
    const both = await cluster.standbys()
    const [visit] = await makeVisits(instance, 1)
    const fresh = await aSentBudget(instance)
    await lose('kill-database', ...both)
    const asked = performance.now()
    const patient = await aVerifiedPatient(instance, fresh)
    expect((await patient.get(fresh.base, inTime())).status).toBe(200)
    say(`both standbys: code and page are answered in ${seconds(asked).toFixed(1)} s`)
    const decided = performance.now()
    const refused = await visit!.patient.post(`${visit!.budget.base}/accept`, ACCEPTANCE, inTime())
    say(`both standbys: a decision is answered with ${refused.status} after ${seconds(decided).toFixed(1)} s`)
    expect([refused.status, refused.body.code]).toEqual([503, 'commits_waiting'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const restored = performance.now()
    await restore()
    await accept(visit!)
    say(`both standbys: the decision is there ${seconds(restored).toFixed(1)} s after their return`)
    await expectEachOnce(instance, [visit!])
  })

  test('sends a webhook again within a minute when both instances lost power during its delivery', async () => {
    receiver.answer('/hook', () => {}) // never answers
    const webhook = { url: `${await cluster.reach(receiver.url)}/hook`, events: ['budget.accepted'] }
    expect((await (await instance.as('admin')).post(WEBHOOKS, webhook)).status).toBe(201)
    const [visit] = await makeVisits(instance, 1)
    await accept(visit!)
    const [first] = await receiver.at('/hook')
    const killed = performance.now()
    await cluster.tell('kill', 'app-a', 'app-b')
    receiver.answer('/hook', 204)
    await cluster.tell('start', 'app-a', 'app-b')
    const arrived = () => receiver.received.filter(({ path }) => path === '/hook')
    await until(async () => arrived().length > 1, 120_000)
    say(`webhook: sent again ${seconds(killed).toFixed(1)} s after the kill`)
    expect(arrived()[1]!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(seconds(killed)).toBeLessThan(60)
    await expectEachOnce(instance, [visit!])
  })
})

async function lose(how: Exclude<Command, 'start' | 'reconnect'>, ...machines: DatabaseNode[]) {
  repairs.push([how === 'disconnect' ? 'reconnect' : 'start', machines])
  await cluster.tell(how, ...machines)
}

async function restore() {
  for (const [command, machines] of repairs.splice(0)) await cluster.tell(command, ...machines)
}

/** The staff got an email with a link to the budget. */
const isNoticed = ({ budget }: Visit) => mailbox.with(`/budgets/${budget.id}`).length > 0

/** The response of an instance without a primary, or without a standby that confirms. */
const isRefusal = ({ status, headers, body }: Answer) =>
  status === 503
  && ['database_unavailable', 'commits_waiting'].includes(body.code)
  && Number(headers.get('retry-after')) > 0

/**
 * Patients accept without a pause while `fail` runs. `gap`: the longest time without a decision. `back`: the time when
 * it ended.
 */
async function acceptThrough(fail: () => Promise<void>) {
  const all = await makeVisits(instance, BUDGETS, [() => createCaller(cluster.url)])
  const answers: Answer[] = []
  const decided: number[] = []
  let begun = 0
  const acceptOne = async (visit: Visit) => {
    answers.push(...await accept(visit))
    decided.push(performance.now())
  }
  const patients = Array.from({ length: AT_ONCE }, async () => {
    for (let visit = all[begun++]; visit; visit = all[begun++]) await acceptOne(visit)
  })
  await until(async () => begun > 2 * AT_ONCE)
  await Promise.all([fail(), ...patients])
  expect(failuresOf(answers).filter(answer => !isRefusal(answer)).map(({ status, body }) => [status, body])).toEqual([])
  const gaps = decided.slice(1).map((at, before) => at - decided[before]!)
  const gap = Math.max(...gaps)
  return { all, answers, gap: gap / 1000, back: decided[gaps.indexOf(gap) + 1]! }
}
