import {
  ACCEPTANCE,
  aDraft,
  aPatient,
  aProfessional,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  eventually,
  type SentBudget
} from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { assertOk, type Scenario } from './world.ts'

/** The number of runs after which a connection's prepared statement has its final plan. */
export const TIMES = 8
const times = async (run: (n: number) => Promise<unknown>, count = TIMES) => {
  for (let n = 0; n < count; n++) await run(n)
}

interface Open { budget: SentBudget, patient: Caller }
const sent: SentBudget[] = []
const open: Open[] = []

/** One after the other, like the patients of the large clinic. */
export const patient: Record<string, Scenario> = {
  async 'staff: create and send'(world) {
    const staff = await world.as('admin')
    const [person, professional, treatment] = [
      await aPatient(staff),
      await aProfessional(world),
      await aTreatment(staff)
    ]
    const fields = { patient_id: person.id, professional_id: professional.id, items: [{ treatment_id: treatment.id }] }
    await times(async () => sent.push(await aSentBudget(world, fields)))
    await aDraft(world, fields)
  },
  'patient: meta': world => times(n => assertOk(world.anonymous().get(`${sent[n]!.base}/meta`))),
  'patient: verify': world =>
    times(async n => open.push({ budget: sent[n]!, patient: await aVerifiedPatient(world, sent[n]!) })),
  'patient: view': () => times(n => assertOk(open[n]!.patient.get(open[n]!.budget.base))),
  'patient: accept, and what follows': async (world) => {
    await times(n =>
      n % 4 === 3
        ? assertOk(open[n]!.patient.post(`${open[n]!.budget.base}/reject`, { reason: 'No' }))
        : assertOk(open[n]!.patient.post(`${open[n]!.budget.base}/accept`, ACCEPTANCE))
    )
    const ids = sent.map(({ id }) => id)
    await eventually(
      async () =>
        (await world.sql`select 1 from budget where id = any(${ids}) and signed_pdf_status = 'pending'`).length === 0,
      'the signed copies'
    )
    await eventually(
      async () =>
        (await world.sql`select 1 from core_delivery where status = 'pending' and module_name <> 'gone'`).length === 0,
      'the deliveries'
    )
  },
  'patient: signed download': () =>
    times(n =>
      n % 4 === 3 ? Promise.resolve() : assertOk(open[n]!.patient.get(`${open[n]!.budget.base}/pdf/signed`))
    ),
  'patient: end of session': () => times(n => assertOk(open[n]!.patient.delete(`${open[n]!.budget.base}/session`)))
}
