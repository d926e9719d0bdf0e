import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, aTreatment, aVerifiedPatient, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { sealNow, verify } from '../../support/logs.ts'
import { aCatalog, dear, idsOf, offers, openOffer, type Treatments } from '../../support/offers.ts'

const DAY = '2026-01-15'

let instance: Instance
let staff: Caller
let treatments: Treatments
beforeAll(async () => {
  await loadDocuments()
  instance = await anInstance()
  staff = await instance.as('dentist')
  treatments = await aCatalog(await instance.as('admin'))
})
afterAll(() => instance.close())

const done = (id: string, items: object[], caller = staff) => caller.post(`${BUDGETS}/${id}/done`, { items })
const read = async (id: string) => (await staff.get(`${BUDGETS}/${id}`)).body.data
const logOf = async (id: string) => (await staff.get(`${BUDGETS}/${id}/access-log`)).body.data
async function accepted(): Promise<{ id: string, base: string, patient: Caller, lines: string[] }> {
  const { id: treatment_id } = await aTreatment(await instance.as('admin'))
  const budget = await aSentBudget(instance, { items: [{ treatment_id }, { treatment_id }, { treatment_id }] })
  const patient = await aVerifiedPatient(instance, budget)
  expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  await sealNow(instance, budget.id)
  return { ...budget, patient, lines: (await read(budget.id)).items.map((item: any) => item.id) }
}

describe('done treatments', () => {
  test('are accepted lines with a day, which staff with budget.write set and remove, with a row in the log', async () => {
    const { id, lines } = await accepted()
    const { status, body } = await done(id, [
      { item_id: lines[0], done_on: DAY }, { item_id: lines[2], done_on: DAY }, { item_id: lines[1], done_on: null }
    ])
    expect([status, body.detail]).toEqual([200, undefined])
    expect(body.data.items.map((item: any) => item.done_on)).toEqual([DAY, null, DAY])
    await done(id, [{ item_id: lines[0], done_on: '2026-01-16' }, { item_id: lines[2], done_on: null }])
    expect((await read(id)).items.map((item: any) => item.done_on)).toEqual(['2026-01-16', null, null])
    const rows = (await logOf(id)).filter((row: any) => row.action === 'treatments_done').toReversed()
    expect(rows.map(({ actor, detail }: any) => [actor, detail.done_on, detail.item_ids])).toEqual([
      ['staff', DAY, `${lines[0]} ${lines[2]}`], ['staff', '2026-01-16', lines[0]], ['staff', null, lines[2]]
    ])
    expect((await verify(instance, id)).text).toContain('All hold.')
  })

  test('aren\'t part of the content: digest, patient\'s page, PDF and ETag stay, and a repeated day is not logged', async () => {
    const { id, lines, base, patient } = await accepted()
    const digest = (await read(id)).content_digest
    const before = (await patient.get(base)).body.data
    const etag = (await staff.get(`${BUDGETS}/${id}`)).headers.get('etag')
    for (let n = 0; n < 2; n++) await done(id, [{ item_id: lines[0], done_on: DAY }])
    expect((await logOf(id)).filter((row: any) => row.action === 'treatments_done')).toHaveLength(1)
    expect((await read(id)).content_digest).toBe(digest)
    expect((await patient.get(base)).body.data).toEqual(before)
    expect((await staff.get(`${BUDGETS}/${id}`)).headers.get('etag')).toBe(etag)
  })

  test('are only lines that the patient chose', async () => {
    const { offer } = offers(() => treatments)
    const { budget, view, price, accept } = await openOffer(instance, offer())
    const selection = dear(idsOf(await view()))
    const { choices: [{ options: [other, chosen] }] } = await read(budget.id)
    const { content_digest } = (await price(selection)).body.data
    expect((await accept({ selection, content_digest })).status).toBe(200)
    expect((await done(budget.id, [{ item_id: chosen.items[0].id, done_on: DAY }])).status).toBe(200)
    const wrong = await done(budget.id, [{ item_id: other.items[0].id, done_on: DAY }])
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/items/0/item_id'])
  })

  test('are not set for tomorrow, for lines of another budget, twice or of no line: 422', async () => {
    const { id, lines } = await accepted()
    const [item_id] = lines
    const other = await accepted()
    const tomorrow = new Date(Date.now() + 2 * 24 * 3600_000).toISOString().slice(0, 10)
    for (const items of [
      [], [{ item_id, done_on: tomorrow }], [{ item_id: other.lines[0], done_on: DAY }], [{ item_id }],
      [{ item_id, done_on: DAY }, { item_id, done_on: null }], [{ item_id, done_on: '2026-02-30' }]
    ])
      expect((await done(id, items)).status, JSON.stringify(items)).toBe(422)
    expect((await read(id)).items.map((item: any) => item.done_on)).toEqual([null, null, null])
  })

  test('are refused before the acceptance and after its withdrawal: 409 wrong_state', async () => {
    const draft = await aDraft(instance)
    const items = [{ item_id: draft.items[0].id, done_on: DAY }]
    expect((await done(draft.id, items)).body.code).toBe('wrong_state')
    const { id, lines } = await accepted()
    await staff.post(`${BUDGETS}/${id}/withdraw`, { requested_by: 'patient', reason: 'Moves away.' })
    expect((await done(id, [{ item_id: lines[0], done_on: DAY }])).body.code).toBe('wrong_state')
  })

  test('are not copied to a new budget, and are in the export of the patient\'s data', async () => {
    const { id, lines } = await accepted()
    await done(id, [{ item_id: lines[0], done_on: DAY }])
    const { body: { data: copy } } = await staff.post(`${BUDGETS}/${id}/duplicate`)
    expect(copy.items.map((item: any) => item.done_on)).toEqual([null, null, null])
    const { patient_id } = await read(id)
    const { bytes } = await (await instance.as('admin')).get(`/api/v1/clinic/persons/${patient_id}/export`)
    const { modules } = JSON.parse(strFromU8(unzipSync(bytes)['export.json']!))
    expect(modules.budget.budgets[0].lines.map((line: any) => line.done_on)).toEqual([DAY, null, null])
  })
})
