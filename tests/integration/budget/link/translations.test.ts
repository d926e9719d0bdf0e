import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDraft, aPatient, aTreatment, BUDGETS } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const itemsOf = async (id: string) => (await staff.get(`${BUDGETS}/${id}`)).body.data.items
const catalog = (id: string) => `/api/v1/catalog/treatments/${id}`

/** A draft for a patient who reads German. */
async function aGermanDraft(treatments: { id: string }[]) {
  const patient = await aPatient(staff, { locale: 'de' })
  return await aDraft(instance, { patient_id: patient.id, items: treatments.map(({ id }) => ({ treatment_id: id })) })
}

test('a draft\'s detail names the treatments that have no text in the patient’s language', async () => {
  const crown = await aTreatment(staff, { name: { en: 'Crown', de: 'Krone' } })
  const bridge = await aTreatment(staff, { name: { en: 'Bridge' } })
  const filling = await aTreatment(staff, {
    name: { en: 'Filling', de: 'Füllung' },
    description: { en: 'Two surfaces' }
  })
  const draft = await aGermanDraft([crown, bridge, filling])
  expect((await itemsOf(draft.id)).map((item: any) => [item.name, item.translated])).toEqual([
    ['Krone', true],
    ['Bridge', false],
    ['Füllung', false]
  ])
})

test('a translation that is added to the catalog reaches drafts, and is sent', async () => {
  const bridge = await aTreatment(staff, { name: { en: 'Bridge' } })
  const draft = await aGermanDraft([bridge])
  await staff.patch(catalog(bridge.id), { name: { en: 'Bridge', de: 'Brücke' } })
  expect((await itemsOf(draft.id))[0]).toMatchObject({ name: 'Brücke', translated: true })
  expect((await staff.get(`${BUDGETS}/${draft.id}/preview`)).body.data.items[0].name).toBe('Brücke')

  await staff.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual' })
  const [stored] = await instance.sql`select name from budget_item where budget_id = ${draft.id}`
  expect(stored!.name).toEqual({ en: 'Bridge', de: 'Brücke' })

  await staff.patch(catalog(bridge.id), { name: { en: 'Bridge', de: 'Brücke', fr: 'Bridge dentaire' } })
  expect((await itemsOf(draft.id))[0]).toMatchObject({ name: 'Brücke', translated: true })
})

test('renaming a treatment does not change the line', async () => {
  const bridge = await aTreatment(staff, { name: { en: 'Bridge' } })
  const draft = await aGermanDraft([bridge])
  await staff.patch(catalog(bridge.id), { name: { en: 'Implant', de: 'Implantat' } })
  expect((await itemsOf(draft.id))[0]).toMatchObject({ name: 'Bridge', translated: false })
})
