import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDraft, aPatient, aTreatment, BUDGETS } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'

const TEMPLATES = '/api/v1/budget/templates'
const TREATMENTS = '/api/v1/catalog/treatments'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('dentist')
})
afterAll(() => instance.close())

/** Saves a budget as a template and returns it. */
async function aTemplate(fields: Record<string, unknown> = {}, name = 'Kept') {
  const { id } = await aDraft(instance, fields)
  const { status, body } = await staff.post(TEMPLATES, { name, budget_id: id })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
async function newFrom(id: string, fields: Record<string, unknown> = {}) {
  const patient_id = (await aPatient(staff, { first_name: 'Ada', last_name: 'Byron' })).id
  return await staff.post(`${TEMPLATES}/${id}/budgets`, { patient_id, ...fields })
}
/** A budget with everything that a template keeps, and everything that it leaves out. */
async function aWholeBudget() {
  const treatments = await Promise.all([0, 1, 2, 3].map(() => aTreatment(staff)))
  const [base, left, right, extra] = treatments.map(({ id }) => id)
  return {
    treatments,
    fields: {
      items: [{
        treatment_id: base,
        quantity: 2,
        unit_price: '1.00',
        teeth: ['16', '17'],
        discount: { type: 'percent', value: '7.5' },
        note: 'Under local anaesthetic',
        notes: 'Only for the staff'
      }],
      choices: [
        {
          title: 'Material',
          rule: 'exactly_one',
          options: [
            { title: 'Ceramic', description: 'White', recommended: true, items: [{ treatment_id: left, teeth: ['21'] }] },
            { title: 'Gold', items: [{ treatment_id: right, quantity: 3, discount: { type: 'amount', value: '5.00' } }] }
          ]
        },
        { title: 'Whitening', rule: 'at_most_one', options: [{ title: 'Whitening', items: [{ treatment_id: extra }] }] }
      ],
      global_discount: { type: 'percent', value: '10' },
      patient_notes: 'Three visits.',
      internal_notes: 'Nervous patient'
    }
  }
}

describe('saving a budget as a template', () => {
  it('keeps lines, choices, discounts and the texts for the patient', async () => {
    const { fields, treatments } = await aWholeBudget()
    const template = await aTemplate(fields, 'Crown')
    expect(template).toMatchObject({
      name: 'Crown',
      lines: 4,
      items: [{
        treatment_id: treatments[0].id,
        quantity: 2,
        unit_price: '100.00',
        discount: { type: 'percent', value: '7.5' },
        note: 'Under local anaesthetic'
      }],
      choices: [
        {
          title: 'Material',
          rule: 'exactly_one',
          options: [
            { title: 'Ceramic', description: 'White', recommended: true, items: [{ treatment_id: treatments[1].id }] },
            { title: 'Gold', recommended: false, items: [{ quantity: 3, discount: { type: 'amount', value: '5.00' } }] }
          ]
        },
        { title: 'Whitening', rule: 'at_most_one' }
      ],
      global_discount: { type: 'percent', value: '10' },
      patient_notes: 'Three visits.',
      left_out: []
    })
  })

  it('drops the patient, prices, teeth and the staff\'s notes', async () => {
    const { fields } = await aWholeBudget()
    const { id } = await aTemplate({ ...fields, patient_id: (await aPatient(staff, { last_name: 'Zzyzx' })).id })
    const [row] = await instance.sql`select row_to_json(t)::text as text from budget_template t where id = ${id}`
    for (const absent of ['Zzyzx', 'patient_id', '1.00', 'unit_price', '"16"', 'teeth', 'Nervous', 'Only for the staff'])
      expect(row!.text, absent).not.toContain(absent)
  })

  it('is 404 for an unknown budget or another clinic\'s', async () => {
    const { id } = await aDraft(instance)
    const other = await instance.as('admin', await instance.anotherClinic())
    expect((await other.post(TEMPLATES, { name: 'Theirs', budget_id: id })).status).toBe(404)
    expect((await staff.post(TEMPLATES, { name: 'None', budget_id: crypto.randomUUID() })).status).toBe(404)
    const { body } = await staff.post(TEMPLATES, { name: ' ', budget_id: id })
    expect(body.errors.map((error: any) => error.pointer)).toEqual(['/name'])
  })
})

describe('a new budget from a template', () => {
  it('is a draft of the patient with the catalog\'s current prices', async () => {
    const { fields, treatments } = await aWholeBudget()
    const { id } = await aTemplate(fields)
    await staff.patch(`${TREATMENTS}/${treatments[0].id}`, { unit_price: '50.00', name: { en: 'New name' } })
    const { status, headers, body } = await newFrom(id)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data).toMatchObject({
      status: 'draft',
      version: 1,
      patient: { first_name: 'Ada', last_name: 'Byron' },
      items: [{ unit_price: '50.00', quantity: 2, note: 'Under local anaesthetic', notes: null }],
      choices: [{ title: 'Material', options: [{ title: 'Ceramic' }, { title: 'Gold' }] }, { title: 'Whitening' }],
      global_discount: { type: 'percent', value: '10' },
      patient_notes: 'Three visits.',
      internal_notes: null,
      left_out: []
    })
    expect(body.data.items[0].teeth ?? []).toEqual([])
    expect(headers.get('etag')).toMatch(/^"\d+"$/)
    expect((await staff.get(`${BUDGETS}/${body.data.id}`)).body.data.number).toBe(body.data.number)
  })

  it('accepts a clinician and a last day, and is refused where a new budget is', async () => {
    const { id } = await aTemplate()
    const { professional_id } = await aDraft(instance)
    const { body } = await newFrom(id, { professional_id, valid_until: '2099-12-31' })
    expect(body.data).toMatchObject({ professional_id, valid_until: '2099-12-31' })
    const refused = await newFrom(id, { patient_id: crypto.randomUUID() })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/patient_id'])
    expect((await newFrom(crypto.randomUUID())).status).toBe(404)
  })

  it('names treatments that are no longer offered or no longer exist', async () => {
    const { fields, treatments } = await aWholeBudget()
    const { id } = await aTemplate(fields)
    await staff.patch(`${TREATMENTS}/${treatments[0].id}`, { active: false })
    await instance.sql`delete from catalog_treatment where id = ${treatments[3].id}`
    const { body } = await newFrom(id)
    expect(body.data.items).toEqual([])
    expect(body.data.choices.map((choice: any) => choice.title)).toEqual(['Material'])
    expect(body.data.left_out).toEqual([
      { reason: 'inactive', treatment: { id: treatments[0].id, code: treatments[0].code, name: treatments[0].name } },
      { reason: 'gone', treatment: { id: treatments[3].id, code: treatments[3].code, name: treatments[3].name } }
    ])
    expect((await staff.get(`${TEMPLATES}/${id}`)).body.data.left_out).toEqual(body.data.left_out)
  })

  it('adds the lines of a choice to every selection if only one option is left', async () => {
    const { fields, treatments } = await aWholeBudget()
    const { id } = await aTemplate(fields)
    await staff.patch(`${TREATMENTS}/${treatments[1].id}`, { active: false })
    const { body } = await newFrom(id)
    expect(body.data.items.map((item: any) => item.treatment_id)).toEqual([treatments[0].id, treatments[2].id])
    expect(body.data.choices.map((choice: any) => choice.title)).toEqual(['Whitening'])
    expect(body.data.left_out).toMatchObject([{ reason: 'inactive', treatment: { id: treatments[1].id } }])
  })

  it('drops a discount amount that exceeds the current sum of all lines', async () => {
    const treatment = await aTreatment(staff)
    const { id } = await aTemplate({
      items: [{ treatment_id: treatment.id }],
      global_discount: { type: 'amount', value: '90.00' }
    })
    await staff.patch(`${TREATMENTS}/${treatment.id}`, { unit_price: '10.00' })
    const { status, body } = await newFrom(id)
    expect([status, body.data.global_discount, body.data.left_out]).toEqual([
      201,
      null,
      [{ reason: 'discount', treatment: null }]
    ])
  })

  it('drops amounts that were entered in the other tax mode', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    const treatment = await aTreatment(admin)
    const draft = await admin.post(BUDGETS, {
      patient_id: (await aPatient(admin)).id,
      items: [{ treatment_id: treatment.id, discount: { type: 'amount', value: '5.00' } }],
      global_discount: { type: 'amount', value: '9.00' }
    })
    const { body: { data: { id } } } = await admin.post(TEMPLATES, { name: 'Typed', budget_id: draft.body.data.id })
    expect((await admin.patch('/api/v1/clinic', { prices_include_tax: true })).status).toBe(200)
    const { body } = await admin.post(`${TEMPLATES}/${id}/budgets`, { patient_id: draft.body.data.patient_id })
    expect(body.data).toMatchObject({ prices_include_tax: true, global_discount: null, items: [{ discount: null }] })
    expect(body.data.left_out).toMatchObject([
      { reason: 'discount', treatment: { id: treatment.id } },
      { reason: 'discount', treatment: null }
    ])
  })
})

describe('templates', () => {
  it('are listed by name, renamed and deleted, and budgets made from them stay', async () => {
    const { id } = await aTemplate({}, 'zeta Implant')
    const made = await newFrom(id)
    const { body } = await staff.get(`${TEMPLATES}?search=IMPLANT`)
    expect([body.total, body.data[0]]).toMatchObject([1, { id, name: 'zeta Implant', lines: 1 }])
    const { headers } = await staff.get(`${TEMPLATES}/${id}`)
    const options = { headers: { 'if-match': headers.get('etag')! } }
    const renamed = await staff.patch(`${TEMPLATES}/${id}`, { name: 'Alpha' }, options)
    expect([renamed.status, renamed.body.data.name]).toEqual([200, 'Alpha'])
    expect((await staff.patch(`${TEMPLATES}/${id}`, { name: 'Late' }, options)).status).toBe(412)
    expect((await staff.get(`${TEMPLATES}?search=zeta`)).body.total).toBe(0)
    expect((await staff.get(TEMPLATES)).body.data[0].name).toBe('Alpha')
    expect((await staff.delete(`${TEMPLATES}/${id}`)).status).toBe(204)
    expect((await staff.get(`${TEMPLATES}/${id}`)).status).toBe(404)
    expect((await staff.get(`${BUDGETS}/${made.body.data.id}`)).status).toBe(200)
  })

  it('are read with budget.read and written with budget.write', async () => {
    const { id } = await aTemplate()
    const assistant = await instance.as('assistant')
    expect((await assistant.get(`${TEMPLATES}/${id}`)).status).toBe(200)
    expect((await assistant.delete(`${TEMPLATES}/${id}`)).status).toBe(403)
    expect((await assistant.post(`${TEMPLATES}/${id}/budgets`, {})).status).toBe(403)
  })
})

describe('an erasure', () => {
  it('reports the templates whose texts contain the patient\'s name, and does not change them', async () => {
    const admin = await instance.as('admin')
    const patient = await aPatient(staff, { first_name: 'Xóchitl', last_name: 'Quetzal Ruiz' })
    const { fields } = await aWholeBudget()
    const [choice] = fields.choices
    const named = [
      await aTemplate({ ...fields, patient_notes: 'For Ms QUETZAL RUIZ (Xochitl): three visits.' }, 'Notes'),
      await aTemplate({ ...fields, items: [{ ...fields.items[0]!, note: 'Xóchitl Quetzal Ruiz' }] }, 'A line'),
      await aTemplate({
        ...fields,
        choices: [{ ...choice!, options: choice!.options.map(option => ({ ...option, title: `${option.title} Xóchitl` })) }]
      }, 'Quetzal Ruiz')
    ]
    await aTemplate({ ...fields, patient_notes: 'Xóchitl' }, 'One word of it')
    const erase = async (dry_run: boolean) =>
      (await admin.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run })).body.data.follow_up
    const what = 'budget template with this name in its texts'
    const expected = ['A line', 'Notes', 'Quetzal Ruiz'].map(object => ({ module: 'budget', what, object }))
    expect(await erase(true)).toEqual(expected)
    expect(await erase(false)).toEqual(expected)
    expect(await erase(false)).toBeUndefined()
    for (const { id, patient_notes } of named)
      expect((await staff.get(`${TEMPLATES}/${id}`)).body.data.patient_notes).toBe(patient_notes)
  })
})
