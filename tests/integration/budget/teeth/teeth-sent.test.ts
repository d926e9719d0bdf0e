import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { ACCEPTANCE, aDraft, aSentBudget, aTreatment, aVerifiedPatient, BUDGETS, eventually } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'

let instance: Instance
let staff: Caller
let treatment_id: string
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  treatment_id = (await aTreatment(staff)).id
})
afterAll(() => instance.close())

const line = (fields: Record<string, unknown> = {}) => ({ treatment_id, ...fields })
const notation = (tooth_notation: string) => staff.patch('/api/v1/clinic', { tooth_notation })
const contentOf = async (id: string) =>
  (await instance.sql`select content, content_digest from budget_signature where budget_id = ${id}`)[0] as
  { content: string, content_digest: string }
async function accepted(fields: Record<string, unknown>) {
  const budget = await aSentBudget(instance, fields)
  const patient = await aVerifiedPatient(instance, budget)
  const { body: { data: view } } = await patient.get(budget.base)
  const { status } = await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, content_digest: view.content_digest })
  expect(status).toBe(200)
  return { budget, patient, view, ...await contentOf(budget.id) }
}
async function signedText(base: string, patient: Caller): Promise<string> {
  const bytes = await eventually(async () => {
    const answer = await patient.get(`${base}/pdf/signed`)
    return answer.status === 200 ? answer.bytes : null
  })
  return (await inspectPdf(bytes)).text
}
/** A draft with texts as an earlier release stored them. */
async function anEarlierDraft(tooth: string | null, surfaces: string | null) {
  const draft = await aDraft(instance, { items: [line()] })
  await instance.sql`update budget_item set tooth = ${tooth}, surfaces = ${surfaces} where budget_id = ${draft.id}`
  return draft
}

describe('a sent budget with teeth', () => {
  test('keeps the notation it was sent with, in views and content, while its data is FDI', async () => {
    await notation('universal')
    const { budget, patient, view, content, content_digest } = await accepted({
      items: [line({ teeth: ['16'], surfaces: ['M', 'O'] }), line({ area: 'lower_jaw' }), line()]
    })
    await notation('fdi')
    expect(view).toMatchObject({ tooth_notation: 'universal', items: [{ teeth: ['16'], surfaces: ['M', 'O'] }, {}, {}] })
    expect((await patient.get(budget.base)).body.data.tooth_notation).toBe('universal')
    expect(JSON.parse(content)).toMatchObject({
      tooth_notation: 'universal',
      items: [
        { teeth: ['16'], surfaces: ['M', 'O'], area: null, site: null },
        { teeth: [], surfaces: [], area: 'lower_jaw', site: null },
        { tooth: null, surfaces: null }
      ]
    })
    expect(JSON.parse(content).items[0]).not.toHaveProperty('tooth')
    expect(JSON.parse(content).items[2]).not.toHaveProperty('teeth')
    expect(createHash('sha256').update(content).digest('hex')).toBe(content_digest)
    expect(view.content_digest).toBe(content_digest)
  })

  test('is protected in SQL from another notation and other teeth', async () => {
    const { id } = await aSentBudget(instance, { items: [line({ teeth: ['16'] })] })
    await expect(instance.sql`update budget set tooth_notation = 'palmer' where id = ${id}`).rejects.toThrow(/immutable/)
    for (const change of [instance.sql`teeth = '{17}'`, instance.sql`area = 'upper_jaw'`, instance.sql`site = 'x'`])
      await expect(instance.sql`update budget_item set ${change} where budget_id = ${id}`).rejects.toThrow(/immutable/)
  })

  test('shows teeth, chart and list in both PDFs, with the numbers it was sent with', async () => {
    await notation('palmer')
    const { budget, patient } = await accepted({
      items: [line({ teeth: ['16'], surfaces: ['O', 'M'] }), line({ teeth: ['55', '36'] }), line({ area: 'upper_jaw' })]
    })
    await notation('fdi')
    const unsigned = (await inspectPdf((await patient.get(`${budget.base}/pdf`)).bytes)).text
    for (const text of [unsigned, await signedText(budget.base, patient)]) {
      expect(text).toMatch(/6┘ MO/)
      expect(text).toMatch(/Odontograma/)
      expect(text).toMatch(/Palmer/)
      expect(text).toMatch(/Pieza 6┘/)
      expect(text).toMatch(/Pieza ┌6/)
      expect(text).toMatch(/Pieza E┘/)
      expect(text).toMatch(/Arcada superior/)
    }
  })
})

describe('a budget without teeth', () => {
  test('has the same content, view and PDF as in earlier releases', async () => {
    await notation('universal')
    const { budget, patient, view, content } = await accepted({ items: [line()] })
    await notation('fdi')
    expect(content).not.toMatch(/teeth|area|site|notation/)
    expect(JSON.parse(content).items[0]).toMatchObject({ tooth: null, surfaces: null })
    expect(Object.keys(view)).not.toEqual(expect.arrayContaining(['tooth_notation']))
    expect(Object.keys(view.items[0]).sort()).toEqual(
      ['description', 'discounted', 'name', 'original_price', 'price', 'quantity', 'surfaces', 'tooth']
    )
    expect((await inspectPdf((await patient.get(`${budget.base}/pdf`)).bytes)).text).not.toMatch(/Odontograma|FDI/)
  })

  test('that was sent with the old texts keeps them in its content, and shows them as its site', async () => {
    const draft = await anEarlierDraft('16', 'MO')
    const { body } = await staff.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual', code: '482913' })
    const token = body.data.url.split('/').at(-1)
    const budget = { id: draft.id, base: `/api/v1/public/budgets/${token}`, code: '482913' }
    const patient = await aVerifiedPatient(instance, budget as never)
    const { data: view } = (await patient.get(budget.base)).body
    expect(view.items[0]).toMatchObject({ teeth: [], surfaces: [], area: null, site: '16 MO', tooth: null })
    expect(view).not.toHaveProperty('tooth_notation')
    const accept = { ...ACCEPTANCE, content_digest: view.content_digest }
    expect((await patient.post(`${budget.base}/accept`, accept)).status).toBe(200)
    const { content } = await contentOf(budget.id)
    expect(JSON.parse(content).items[0]).toMatchObject({ tooth: '16', surfaces: 'MO' })
    expect(content).not.toMatch(/teeth|site|notation/)
    expect((await staff.get(`${BUDGETS}/${draft.id}`)).body.data.proof_faults).toEqual([])
    expect(await signedText(budget.base, patient)).toMatch(/16 MO/)

    const copy = (await staff.post(`${BUDGETS}/${draft.id}/duplicate`)).body.data
    expect(copy.items[0]).toMatchObject({ teeth: ['16'], surfaces: ['M', 'O'], site: null })
  })
})

test('a revision and a copy have the teeth of the original, including those of options', async () => {
  const option = (title: string, teeth: string[]) => ({ title, items: [line({ teeth })] })
  const choices = [{ title: 'Gap', rule: 'exactly_one', options: [option('Bridge', ['35', '37']), option('Implant', ['36'])] }]
  const { id } = await aSentBudget(instance, { items: [line({ teeth: ['16'], surfaces: ['M'] }), line({ area: 'sextant_2' })], choices })
  for (const verb of ['revise', 'duplicate']) {
    const { body } = await staff.post(`${BUDGETS}/${id}/${verb}`)
    expect(body.data).toMatchObject({
      items: [{ teeth: ['16'], surfaces: ['M'] }, { area: 'sextant_2' }],
      choices: [{ options: [{ items: [{ teeth: ['35', '37'] }] }, { items: [{ teeth: ['36'] }] }] }]
    })
  }
})
