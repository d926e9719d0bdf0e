import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDraft, aPatient, aProfessional, aTreatment, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

/** Three-byte ideographs in random order, which cannot be compressed. */
const ideographs = (length: number, seed = 0) =>
  String.fromCodePoint(...Array.from({ length }, (_, n) => 0x4E00 + ((n + seed * 977) * 7919) % 20_000))
/** One word that becomes six times as long in the search index. */
const expanding = (length: number) => '㌖'.repeat(length)

const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar']
const inAll = (text: (seed: number) => string) =>
  Object.fromEntries(LANGUAGES.map((language, seed) => [language, text(seed)]))

test.each([
  ['ideographs', ideographs],
  ['characters that expand', expanding]
])('the longest names can be stored and found by their beginnings: %s', async (_, make) => {
  const treatment = await aTreatment(staff, { name: inAll(seed => make(200, seed)) })
  const patient = await aPatient(staff, { first_name: make(100, 1), last_name: make(100, 2) })
  const professional = await aProfessional(instance, instance.clinic, make(150, 3))
  const set = await staff.post('/api/v1/catalog/sets', {
    name: make(100, 4), items: [{ treatment_id: treatment.id, quantity: 1 }]
  })
  expect(set.status).toBe(201)
  const budget = await aDraft(instance, { patient_id: patient.id, items: [{ treatment_id: treatment.id }] })
  const template = await staff.post('/api/v1/budget/templates', { name: make(100, 5), budget_id: budget.id })
  expect(template.status).toBe(201)
  for (const [list, { id }, name] of [
    ['/api/v1/catalog/treatments', treatment, make(3, 0)],
    ['/api/v1/clinical/patients', patient, make(3, 2)],
    ['/api/v1/clinical/professionals', professional, make(3, 3)],
    ['/api/v1/catalog/sets', set.body.data, make(3, 4)],
    ['/api/v1/budget/templates', template.body.data, make(3, 5)],
    [BUDGETS, budget, make(3, 2)]
  ] as const) {
    const { body } = await staff.get(`${list}?search=${encodeURIComponent(name)}&page_size=100`)
    expect(body.data.map((row: { id: string }) => row.id), list).toContain(id)
  }
})
