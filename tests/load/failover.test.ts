import type { ChildProcess } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aBuiltInstance, type Built } from '../support/browser/built.ts'
import { startBuilt, stop } from '../support/browser/built-server.ts'
import type { Answer } from '../support/caller.ts'
import { createCaller } from '../support/caller.ts'
import { aFolder, textOf, until } from '../support/cli.ts'
import { aPostgresPair, type PostgresPair } from '../support/database/postgres-pair.ts'
import { aReceiver, type Receiver } from '../support/outside/receiver.ts'
import { aTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts'
import { WEBHOOKS } from '../support/webhooks.ts'
import {
  accept,
  expectEachOnce,
  failuresOf,
  inTime,
  isCleanRefusal,
  makeVisits,
  TIMEOUT_MS,
  type Visit
} from './support/visits.ts'

/** Two instances behind one proxy to the database, as `deploy/ha` configures them, with synchronous replication. */
const READ_ONLY_MS = 8_000
const AT_ONCE = 8
const BUDGETS = 48
let undo: (() => unknown)[]
let pair: PostgresPair
let proxy: TcpProxy
let servers: ChildProcess[]
let printed: () => string
let receiver: Receiver
let instance: Built
let urls: string[]

beforeEach(async () => {
  undo = []
  pair = await aPostgresPair()
  undo.push(() => pair.close())
  await pair.primary.ask('create database svc')
  await pair.replicateSynchronously(true)
  proxy = await aTcpProxy({ host: '127.0.0.1', port: pair.primary.port })
  undo.push(() => proxy.close())
  receiver = await aReceiver()
  undo.push(() => receiver.close())
  await startInstances(`postgres://postgres@127.0.0.1:${proxy.port}/svc`)
}, 180_000)

afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

/** Each has its own folder, and the documents are shared. */
async function startInstances(databaseUrl: string): Promise<void> {
  const folder = aFolder()
  undo.push(folder.remove)
  mkdirSync(join(folder.path, 'documents'))
  servers = []
  urls = []
  const texts: (() => string)[] = []
  for (const name of ['a', 'b']) {
    const storage = join(folder.path, name)
    mkdirSync(storage)
    symlinkSync(join(folder.path, 'documents'), join(storage, 'documents'))
    const env = { DATABASE_URL: databaseUrl, SVC_STORAGE: storage, SVC_WEBHOOK_ALLOW_PRIVATE: 'true' }
    const { server, url } = await startBuilt(env)
    texts.push(textOf(server.stdout!), textOf(server.stderr!))
    servers.push(server)
    urls.push(url)
  }
  undo.push(() => Promise.all(servers.map(stop)))
  printed = () => texts.map(text => text()).join('')
  instance = await aBuiltInstance({ url: urls[0]!, databaseUrl, storage: join(folder.path, 'a') })
  undo.push(() => instance.close())
}

/** New connections go to this server, and open ones are closed, as a proxy with a role check does it. */
function lead(port: number) {
  proxy.leadTo({ host: '127.0.0.1', port })
  proxy.disconnect()
}

const health = async (url: string) => (await createCaller(url).get('/health', inTime())).status

/** Patients accept without a pause on both instances while `fail` stops the primary and promotes the standby. */
async function acceptThrough(fail: () => Promise<void>): Promise<{ all: Visit[], answers: Answer[] }> {
  const all = await makeVisits(instance, BUDGETS, urls.map(url => () => createCaller(url)))
  const answers: Answer[] = []
  let begun = 0
  const patients = Array.from({ length: AT_ONCE }, async () => {
    for (let visit = all[begun++]; visit; visit = all[begun++]) answers.push(...await accept(visit))
  })
  await until(async () => begun > AT_ONCE, TIMEOUT_MS)
  await fail()
  await Promise.all(patients)
  return { all, answers }
}

async function promoteAtOnce() {
  await pair.primary.stop('SIGQUIT')
  await pair.promote()
  lead(pair.standby.port)
}

async function promoteLate() {
  await pair.primary.stop('SIGQUIT')
  lead(pair.standby.port)
  const left = performance.now()
  for (const url of urls) await until(async () => await health(url) === 503, TIMEOUT_MS)
  await until(async () => performance.now() - left > READ_ONLY_MS, TIMEOUT_MS)
  await pair.promote()
}

describe('a primary that crashes while patients accept', { timeout: 300_000 }, () => {
  test.each([
    ['and whose standby is promoted at once', promoteAtOnce],
    ['while the proxy leads to the read-only standby for eight seconds before its promotion', promoteLate]
  ])(
    '%s causes only 503, loses or doubles no decision, and PDFs, invoices and webhooks are completed',
    async (_how, fail) => {
      const staff = await instance.as('admin')
      const webhook = { url: `${receiver.url}/all`, events: ['budget.accepted', 'budget.signed_pdf_ready'] }
      expect((await staff.post(WEBHOOKS, webhook)).status).toBe(201)

      const { all, answers } = await acceptThrough(fail)
      expect(
        failuresOf(answers)
          .filter(answer => !isCleanRefusal(answer))
          .map(({ status, body }) => [status, body])
      ).toEqual([])
      await expectEachOnce(instance, all)
      await expectWebhooks(all)
      expect(printed()).not.toMatch(/unhandled|uncaught/i)
    }
  )
})

/** Both events of each budget arrived, and never as two facts (the same `webhook-id` can come again). */
async function expectWebhooks(all: Visit[]) {
  const arrived = () =>
    new Set(
      receiver.received.map(({ headers, json }) => `${json.data.budget_id} ${json.type} ${headers['webhook-id']}`)
    )
  await until(async () => arrived().size >= 2 * all.length, TIMEOUT_MS)
  const facts = [...arrived()].map(fact => fact.split(' ').slice(0, 2).join(' ')).sort()
  const expected = all
    .flatMap(({ budget }) => [`${budget.id} budget.accepted`, `${budget.id} budget.signed_pdf_ready`])
    .sort()
  expect(facts).toEqual(expected)
}
