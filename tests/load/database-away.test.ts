import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startEmbedded } from '@svc/embedded-postgres'
import { ACCEPTANCE } from '../support/builders.ts'
import { aBuiltInstance, type Built } from '../support/browser/built.ts'
import { startBuilt, stop } from '../support/browser/built-server.ts'
import type { Answer } from '../support/caller.ts'
import { aFolder, textOf, until } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'
import { aTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts'
import {
  accept, ANSWERED_WITHIN_MS, expectEachOnce, failuresOf, inTime, isCleanRefusal, makeVisits, TIMEOUT_MS, type Visit
} from './support/visits.ts'

const AWAY_MS = 10_000
const AT_ONCE = 6
const folder = aFolder()
const undo: (() => unknown)[] = [folder.remove]
let proxy: TcpProxy
let env: Record<string, string>
let server: ChildProcess
let printed: () => string
let instance: Built

beforeAll(async () => {
  const embedded = await startEmbedded({ storage: folder.path, root })
  undo.push(embedded.release)
  proxy = await aTcpProxy({ path: join(embedded.socket, `.s.PGSQL.${embedded.port}`) })
  undo.push(proxy.close)
  env = { DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/svc`, SVC_STORAGE: folder.path }
  undo.push(() => stop(server))
  const url = await start()
  env.PORT = new URL(url).port
  instance = await aBuiltInstance({ url, databaseUrl: embedded.url(), storage: folder.path })
  undo.push(instance.close)
}, 120_000)

beforeEach(async () => {
  comeBack()
  if (server.exitCode !== null) await start()
  await until(isHealthy, TIMEOUT_MS)
})

afterAll(async () => {
  comeBack()
  for (const step of undo.reverse()) await step()
})

async function start(): Promise<string> {
  const started = await startBuilt(env)
  server = started.server
  const texts = [textOf(server.stdout!), textOf(server.stderr!)]
  printed = () => texts.map(text => text()).join('')
  return started.url
}

function comeBack() {
  proxy.newcomers('forward')
  proxy.thaw()
}

const isHealthy = async () => (await instance.anonymous().get('/health')).status === 200

/** Begins and ends the outage while patients accept without a pause. */
async function acceptThrough(goAway: () => void): Promise<{ all: Visit[], answers: Answer[] }> {
  const all = await makeVisits(instance, 24)
  const answers: Answer[] = []
  let begun = 0
  const patients = Array.from({ length: AT_ONCE }, async () => {
    for (let visit = all[begun++]; visit; visit = all[begun++]) answers.push(...await accept(visit))
  })
  await until(async () => begun > AT_ONCE, TIMEOUT_MS)

  const left = performance.now()
  goAway()
  const during = instance.anonymous()
  await until(async () => (await during.get('/health', inTime())).status === 503, TIMEOUT_MS)
  expect((await during.get('/readyz', inTime())).status).toBe(200)
  expect(isCleanRefusal(await during.get('/api/v1/openapi.json', inTime()))).toBe(true)
  await until(async () => performance.now() - left > AWAY_MS, TIMEOUT_MS)
  comeBack()
  await Promise.all(patients)
  return { all, answers }
}

function expectNothingUnhandled(told = 'database.lost', since = 0) {
  expect(printed().slice(since)).toContain(told)
  expect(printed()).not.toMatch(/unhandled|uncaught/i)
}

describe('a database that is unavailable for ten seconds while patients accept', { timeout: 300_000 }, () => {
  test.each([
    [
      'refuses',
      () => {
        proxy.newcomers('refuse')
        proxy.disconnect()
      }
    ],
    [
      'hangs',
      () => {
        proxy.newcomers('hang')
        proxy.freeze()
      }
    ]
  ])(
    'and %s causes only clean 503 responses, and each decision, event, invoice and signed PDF exists once',
    async (_how, goAway) => {
      const { all, answers } = await acceptThrough(goAway)
      const failed = failuresOf(answers)
      expect(failed.filter(answer => !isCleanRefusal(answer)).map(({ status, body }) => [status, body])).toEqual([])
      expect(failed.length).toBeGreaterThan(0)
      await expectEachOnce(instance, all)
      expectNothingUnhandled()
    }
  )
})

describe('a network failure', { timeout: 120_000 }, () => {
  const reads = async ({ budget, patient }: Visit) => (await patient.get(budget.base, inTime())).status

  test('that drops open connections silently and accepts new ones costs one response, not the service', async () => {
    const [visit] = await makeVisits(instance, 1)
    const before = printed().length
    proxy.freeze()
    expect([200, 503]).toContain(await reads(visit!))
    await until(async () => await reads(visit!) === 200, ANSWERED_WITHIN_MS)
    expectNothingUnhandled('database.silent', before)
  })

  test('that refuses new connections does not affect open ones', async () => {
    const [visit] = await makeVisits(instance, 1)
    const tenReads = () => Promise.all(Array.from({ length: 10 }, () => reads(visit!)))
    await tenReads() // all connections of the pool are open
    proxy.newcomers('hang')
    const statuses = [await tenReads(), await tenReads(), await tenReads(), await tenReads()].flat()
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await isHealthy()).toBe(true)
  })
})

describe('a SIGTERM', { timeout: 120_000 }, () => {
  test.each([
    ['refuses', 'refuse' as const],
    ['hangs', 'hang' as const]
  ])('while the database %s ends the process as usual, within ten seconds and with exit code 0', async (_how, fate) => {
    const [visit] = await makeVisits(instance, 1)
    proxy.newcomers(fate)
    if (fate === 'hang') proxy.freeze()
    else proxy.disconnect()
    const inFlight = visit!.patient.post(`${visit!.budget.base}/accept`, ACCEPTANCE, inTime())
    const gone = once(server, 'exit', { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) })
    server.kill('SIGTERM')
    expect(await gone).toEqual([0, null])
    expect(isCleanRefusal(await inFlight)).toBe(true)
    expect(printed()).not.toMatch(/unhandled|uncaught/i)
  })
})
