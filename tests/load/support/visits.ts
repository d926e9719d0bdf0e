import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import {
  ACCEPTANCE,
  aPatient,
  aProfessional,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  type SentBudget
} from '../../support/builders.ts'
import type { Built } from '../../support/browser/built.ts'
import type { Answer, Caller } from '../../support/caller.ts'
import { until } from '../../support/cli.ts'

/** The documented limit is eight seconds plus one second until the next check. A busy machine takes longer. */
export const ANSWERED_WITHIN_MS = 15_000
export const TIMEOUT_MS = 60_000

export const inTime = () => ({ signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) })

/** A patient who has entered the code of an open budget. */
export interface Visit { budget: SentBudget, patient: Caller }

/** One budget for each. The patients' browsers call the instance of `anonymous`, one after the other. */
export async function makeVisits(instance: Built, count: number, anonymous = [instance.anonymous]): Promise<Visit[]> {
  const staff = await instance.as('admin')
  const shared = {
    patient_id: (await aPatient(staff)).id,
    professional_id: (await aProfessional(instance)).id,
    items: [{ treatment_id: (await aTreatment(staff)).id }]
  }
  const made: Visit[] = []
  while (made.length < count) {
    const budget = await aSentBudget(instance, shared)
    const browser = { ...instance, anonymous: anonymous[made.length % anonymous.length]! }
    made.push({ budget, patient: await aVerifiedPatient(browser, budget) })
  }
  return made
}

/** Reads and accepts like a patient who tries again after a 503. Resolves with every response. */
export async function accept({ budget, patient }: Visit): Promise<Answer[]> {
  const answers: Answer[] = []
  await until(async () => {
    const read = () => patient.get(budget.base, inTime())
    const decide = () => patient.post(`${budget.base}/accept`, ACCEPTANCE, inTime())
    for (const call of [read, decide]) {
      const answer = await call()
      answers.push(answer)
      if (answer.status === 503) return false
    }
    return true
  }, TIMEOUT_MS)
  return answers
}

/** The problem of an unavailable database, 503 `database_unavailable`. */
export const isCleanRefusal = ({ status, headers, body }: Answer) =>
  status === 503
  && body.code === 'database_unavailable'
  && headers.get('content-type') === 'application/problem+json'
  && Number(headers.get('retry-after')) > 0

/** All failures except a conflict with a decision that an earlier try had already written. */
export const failuresOf = (answers: Answer[]) => answers.filter(({ status }) => status >= 400 && status !== 409)

/** Waits until everything is delivered, then expects one record, event, invoice and sealed PDF for each budget. */
export async function expectEachOnce(instance: Built, all: Visit[]): Promise<void> {
  const ids = all.map(({ budget }) => budget.id)
  const facts = () => instance.sql`
    select (select count(*)::int from budget_signature where budget_id = b.id) as records,
           (select count(*)::int from core_event
             where name = 'budget.accepted' and payload->>'budget_id' = b.id::text) as accepted,
           (select count(*)::int from core_event
             where name = 'budget.signed_pdf_ready' and payload->>'budget_id' = b.id::text) as ready,
           (select count(*)::int from billing_invoice where budget_id = b.id) as invoices,
           b.signed_pdf_status as pdf
    from budget b where id = any(${ids})`
  const once = { records: 1, accepted: 1, ready: 1, invoices: 1, pdf: 'ready' }
  await until(async () => (await facts()).every(row => row.pdf === 'ready' && row.invoices > 0), TIMEOUT_MS)
  expect(await facts()).toEqual(ids.map(() => once))
  for (const { budget, patient } of all) {
    const { bytes } = await patient.get(`${budget.base}/pdf/signed`)
    const [row] = await instance.sql`select signed_pdf_sha256 as sha256 from budget where id = ${budget.id}`
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(row!.sha256)
  }
  await until(async () => (await instance.sql`select 1 from core_delivery where status = 'pending'`).length === 0, TIMEOUT_MS)
}
