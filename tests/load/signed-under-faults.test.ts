import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '@svc/embedded-postgres'
import {
  ACCEPTANCE,
  aPatient,
  aProfessional,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  type SentBudget
} from '../support/builders.ts'
import { aBuiltInstance, type Built } from '../support/browser/built.ts'
import { startBuilt, stop } from '../support/browser/built-server.ts'
import type { Caller } from '../support/caller.ts'
import { aFolder, until } from '../support/cli.ts'
import { aDisk, type Disk } from '../support/disk.ts'
import { hex } from '../support/documents/documents.ts'
import { root } from '../support/modules/official.ts'
import { aProductWithFontsOfItsOwn } from '../support/browser/product.ts'

const COUNT = 100
/** The maximum milliseconds for each part on a machine with other work. */
const TIMEOUT_MS = 120_000
const folder = aFolder()
const product = aProductWithFontsOfItsOwn()
/** Clean-up steps for everything that was started, however far it came. */
const undo: (() => unknown)[] = [folder.remove, product.remove]
let disk: Disk
let env: Record<string, string>
let server: ChildProcess
let instance: Built

beforeAll(async () => {
  disk = aDisk(join(folder.path, 'documents'))
  undo.push(disk.remove)
  const embedded = await startEmbedded({ storage: folder.path, root })
  undo.push(embedded.release)
  env = { DATABASE_URL: embedded.url(), SVC_STORAGE: folder.path, LOG_LEVEL: 'silent' }
  const started = await startBuilt(env, product.root)
  server = started.server
  undo.push(() => stop(server))
  env.PORT = new URL(started.url).port
  instance = await aBuiltInstance({ url: started.url, databaseUrl: embedded.url(), storage: folder.path })
  undo.push(instance.close)
}, 120_000)

afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

async function kill() {
  server.kill('SIGKILL')
  await once(server, 'exit')
}

async function startAgain() {
  server = (await startBuilt(env, product.root)).server
}

interface Visit { budget: SentBudget, patient: Caller }

async function openVisits(): Promise<Visit[]> {
  const staff = await instance.as('admin')
  const shared = {
    patient_id: (await aPatient(staff)).id,
    professional_id: (await aProfessional(instance)).id,
    items: [{ treatment_id: (await aTreatment(staff)).id }]
  }
  return await inTurns(Array.from({ length: COUNT }), 8, async () => {
    const budget = await aSentBudget(instance, shared)
    return { budget, patient: await aVerifiedPatient(instance, budget) }
  })
}

/** Repeats a request that got no response or a server error, as a patient would. Returns the result of each try. */
async function accept({ budget, patient }: Visit): Promise<(number | null)[]> {
  const answers: (number | null)[] = []
  await until(async () => {
    const answer = await patient.post(`${budget.base}/accept`, ACCEPTANCE).catch(() => null)
    answers.push(answer?.status ?? null)
    return answer !== null && answer.status < 500
  }, TIMEOUT_MS)
  return answers
}

async function inTurns<T, R>(all: T[], width: number, run: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  await Promise.all(Array.from({ length: width }, async () => {
    while (next < all.length) {
      const at = next++
      results[at] = await run(all[at]!, at)
    }
  }))
  return results
}

const failures = async (like: string) => Number((await instance.sql`
  select count(*) from budget_access_log where action = 'signed_pdf_error' and detail->>'error' ~ ${like}`)[0]!.count)

test(
  '100 acceptances during a failing renderer, a full disk and kill -9 result in 100 stored PDFs with true fingerprints',
  { timeout: 600_000 },
  async () => {
    const visits = await openVisits()
    const answers: (number | null)[][] = []
    const batch = async (from: number, to: number) => {
      answers.push(...(await inTurns(visits.slice(from, to), 8, accept)))
    }

    // The renderer fails because its fonts are missing.
    renameSync(product.fonts, `${product.fonts}.away`)
    await batch(0, 30)
    await until(async () => (await failures('font')) > 10, TIMEOUT_MS)
    renameSync(`${product.fonts}.away`, product.fonts)

    // The disk is full, and the server stops because of it.
    disk.fill(server.pid!)
    await batch(30, 50)
    await until(async () => (await failures('ENOSPC|EFBIG|no space|file too large')) > 5, TIMEOUT_MS)
    await kill()
    await startAgain()
    disk.free(server.pid!)

    // It is killed three times during the rest.
    const rest = batch(50, COUNT)
    for (const share of [60, 75, 90]) {
      await until(
        async () => Number((await instance.sql`select count(*) from budget where status = 'accepted'`)[0]!.count) >= share,
        TIMEOUT_MS
      )
      await kill()
      await startAgain()
    }
    await rest

    // The pauses have grown, but a start makes due work begin at once.
    await kill()
    await instance.sql`update core_delivery set next_attempt_at = clock_timestamp() where status <> 'done'`
    await startAgain()
    await until(async () => {
      const [row] = await instance.sql`select count(*) as count from budget where signed_pdf_status = 'ready'`
      return Number(row!.count) === COUNT
    }, TIMEOUT_MS)

    // Each budget is decided once, whatever the patient saw in between.
    expect(answers).toHaveLength(COUNT)
    for (const tries of answers) expect([200, 409]).toContain(tries.at(-1))
    for (const tries of answers) if (tries.length === 1) expect(tries).toEqual([200])
    const [facts] = await instance.sql`
    select (select count(*)::int from budget_signature) as records, (select count(*)::int from core_event where name = 'budget.accepted') as accepted,
           (select count(*)::int from core_event where name = 'budget.signed_pdf_ready') as ready, (select count(distinct signed_pdf_sha256)::int from budget) as fingerprints`
    expect(facts).toEqual({ records: COUNT, accepted: COUNT, ready: COUNT, fingerprints: COUNT })

    // File, row and download have the same content.
    const rows = await instance.sql`select id, signed_pdf_key, signed_pdf_sha256 from budget`
    for (const { budget, patient } of visits) {
      const row = rows.find(({ id }) => id === budget.id)!
      expect(hex(readFileSync(join(folder.path, 'documents', row.signed_pdf_key)))).toBe(row.signed_pdf_sha256)
      const { status, bytes } = await patient.get(`${budget.base}/pdf/signed`)
      expect([status, status === 200 && hex(bytes)]).toEqual([200, row.signed_pdf_sha256])
    }

    // Any other file is an incomplete one of a kill: nothing refers to it, and the nightly job removes it.
    const files = readdirSync(join(folder.path, 'documents'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => entry.name)
    expect(files.filter(name => name.endsWith('.pdf')).length).toBeGreaterThanOrEqual(COUNT)
    expect(files.filter(name => !/\.pdf(?:\.[0-9a-f]{12}\.tmp)?$/.test(name))).toEqual([])
  }
)
