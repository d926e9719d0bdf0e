import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SECRET } from '../support/browser/built-server.ts'
import { svc } from '../support/cli.ts'
import {
  compareDeliveries,
  compareFiles,
  compareInbox,
  compareLetters,
  compareWithLedger,
  downloadAll,
  searchLog
} from './support/checks.ts'
import { FAULTS, type Fault } from './support/faults.ts'
import { whatIsHeld, type Held } from './support/held.ts'
import { journey, type Ledger } from './support/journey.ts'
import { settle } from './support/settle.ts'
import { aWorld, keepLog, type World } from './support/world.ts'

/**
 * `npm run test:load`: `LOAD_SECONDS` for each of the two halves, `LOAD_SEED` for another mix, `LOAD_LOG` for a file
 * with the server's log.
 */
const SECONDS = Number(process.env.LOAD_SECONDS ?? 120)
const SEED = Number(process.env.LOAD_SEED ?? 1)
const AT_ONCE = 10
/**
 * The factor by which memory may grow, and the number by which small counts may grow, because pools open and close some
 * connections on their own.
 */
const MAX_GROWTH = 1.1
const A_FEW = 10
const began = performance.now()
const say = (line: string) =>
  void process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}\n`)

/** The faults of each half and their times. Fonts are read only once, so drawing can only fail in the first half. */
const COURSE = [
  [[0.02, 'webhooks', 0.85], [0, 'renderer', 0.2], [0.25, 'mail', 0.45], [0.5, 'disk', 0.7]],
  [[0.02, 'webhooks', 0.85], [0.1, 'mail', 0.3], [0.4, 'disk', 0.6], [0.55, 'mail', 0.65]]
] as const

let world: World
const ledger: Ledger = { cases: [], journeys: 0, broken: [] }
const held: Held[] = []

beforeAll(async () => {
  say(`${2 * SECONDS} s of load, seed ${SEED}`)
  world = await aWorld({ seed: SEED, say })
}, 900_000)

afterAll(async () => {
  if (world && process.env.LOAD_LOG) keepLog(world, process.env.LOAD_LOG)
  await world?.close()
}, 60_000)

let next = 0

/** Continues until the fault has had an effect, which takes longer on a busy machine. */
async function fail(
  { from, fault, to }: { from: number, fault: Fault, to: number },
  signal: AbortSignal
): Promise<void> {
  const { faults } = world
  await pause(from * SECONDS * 1000, null, { signal })
  const before = faults.hits(fault)
  faults.begin(fault)
  await pause((to - from) * SECONDS * 1000, null, { signal })
  while (faults.hits(fault) === before) await pause(500, null, { signal })
  faults.end(fault)
}

async function half(course: typeof COURSE[number]): Promise<void> {
  const { faults, answers } = world
  const start = performance.now()
  const over = new AbortController()
  // Ends with the half at the latest.
  const failing = course.map(([from, fault, to]) => fail({ from, fault, to }, over.signal).catch(() => {}))
  const progress = setInterval(
    () =>
      say(
        `${ledger.journeys} journeys, ${answers.count} answers, ${ledger.broken.length + answers.wrong.length} wrong; off: ${[...faults.on].join(', ') || 'nothing'}`
      ),
    10_000
  )
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() - start < SECONDS * 1000) {
        const n = next++
        await journey(world, ledger, { seed: SEED, n }).catch((error: unknown) =>
          ledger.broken.push(`journey ${n}: ${String(error)}`)
        )
      }
    })
  )
  clearInterval(progress)
  over.abort()
  await Promise.all(failing)
  faults.endAll()
}

async function measure(): Promise<void> {
  held.push(await whatIsHeld({ inspector: world.inspector, pid: world.pid, sql: world.built.sql }))
  say(`held: ${JSON.stringify(held.at(-1))}`)
}

test('the service takes several minutes of load while mail, webhooks, drawing and the disk fail', async () => {
  for (const course of COURSE) {
    await half(course)
    await settle(world, say)
    say('settled')
    await measure()
  }
  say(`statuses: ${JSON.stringify(Object.fromEntries([...world.answers.statuses].sort()))}`)
  const hits = FAULTS.map(fault => [fault, world.faults.hits(fault)] as const)
  say(`hits: ${JSON.stringify(Object.fromEntries(hits))}`)
  expect(hits.filter(([, count]) => count === 0), 'faults that hurt nobody').toEqual([])
}, 3_600_000)

test('all responses under load match the document, and one of several simultaneous calls succeeds', () => {
  expect(world.answers.wrong).toEqual([])
  expect(ledger.broken).toEqual([])
})

test('each acceptance under load has one decision, record, event, invoice and signed PDF', async () => {
  expect(await compareWithLedger(world, ledger)).toEqual([])
  expect(await compareDeliveries(world)).toEqual([])
  expect(await compareFiles(world)).toEqual([])
  expect(await downloadAll(world, ledger)).toEqual([])
})

test('each event under load reaches each webhook once, and each message is sent once', async () => {
  expect(await compareInbox(world)).toEqual([])
  expect(await compareLetters(world, ledger)).toEqual([])
})

test('`svc budgets verify` and `svc modules doctor` find no faults after the load', async () => {
  for (const words of [['budgets', 'verify'], ['modules', 'doctor']]) {
    const { code, stdout, stderr } = await svc(words, { env: { ...world.env, SVC_SECRET: SECRET } })
    expect([code, words.join(' '), stdout, stderr]).toEqual([
      0,
      words.join(' '),
      expect.any(String),
      expect.any(String)
    ])
  }
}, 120_000)

test('the server process is still the first one after the load, and its log has no personal data or errors', () => {
  expect(world.ended()).toBe(null)
  expect(searchLog(world, ledger)).toEqual([])
})

test('the process needs no more memory, files, handles, listeners or connections after twice the load', () => {
  const [half, whole] = [held[0]!, held[1]!]
  const grown = Object.keys(whole).filter(
    what => whole[what]! > Math.max(MAX_GROWTH * half[what]!, what === 'heap' ? 0 : half[what]! + A_FEW)
  )
  expect(grown.map(what => `${what}: ${half[what]} → ${whole[what]}`)).toEqual([])
})
