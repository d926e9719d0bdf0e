import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDraft, aPatient, aProfessional, aTreatment, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
let patient: { id: string }
let treatment: { id: string }
const year = () => Number(new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/Madrid' }).slice(0, 4))

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  patient = await aPatient(staff)
  treatment = await aTreatment(staff)
})
afterAll(() => instance.close())

const aRequest = (fields: Record<string, unknown> = {}) => ({
  patient_id: patient.id,
  items: [{ treatment_id: treatment.id }],
  ...fields
})

describe('creating a budget', () => {
  it('copies code, name, price and VAT of the treatment and prices the lines', async () => {
    const { body, status, headers } = await staff.post(
      BUDGETS,
      aRequest({
        items: [
          {
            treatment_id: treatment.id,
            quantity: 2,
            tooth: '16',
            surfaces: 'MO',
            note: 'Metal-free.\nTwo visits.',
            notes: 'careful',
            discount: { type: 'percent', value: '7.50' }
          }
        ],
        global_discount: { type: 'amount', value: '10.00' },
        patient_notes: 'Two visits.\nBring the X-ray.',
        internal_notes: 'VIP'
      })
    )
    expect(status).toBe(201)
    expect(headers.get('etag')).toBe('"1"')
    expect(body.data).toMatchObject({
      number: expect.stringMatching(/^PRES-\d{4}-\d{4}$/),
      version: 1,
      status: 'draft',
      patient: { id: patient.id, first_name: 'Lucía', last_name: 'Muñoz' },
      professional: null,
      currency: 'EUR',
      time_zone: 'Europe/Madrid',
      valid_until: null,
      global_discount: { type: 'amount', value: '10.00' },
      totals: { original: '242.00', discount: '28.15', total: '213.85', tax: '37.11' },
      patient_notes: 'Two visits.\nBring the X-ray.',
      internal_notes: 'VIP',
      link: {
        state: 'none',
        url: null,
        has_code: false,
        failed_attempts: 0,
        locked: false,
        locked_until: null,
        delivery: 'none'
      },
      decision: null,
      signed_pdf: { status: 'none', sha256: null },
      versions: [{ version: 1, status: 'draft', total: '213.85' }]
    })
    expect(body.data.items).toHaveLength(1)
    expect(body.data.items[0]).toMatchObject({
      treatment_id: treatment.id,
      name: 'Empaste',
      tooth: null,
      teeth: ['16'],
      surfaces: ['M', 'O'],
      note: 'Metal-free.\nTwo visits.',
      notes: 'careful',
      quantity: 2,
      unit_price: '100.00',
      vat: '21',
      discount: { type: 'percent', value: '7.5' },
      original_price: '242.00',
      price: '213.85',
      discounted: true
    })
  })

  it('accepts another price for a line, which later changes of the catalog don\'t affect', async () => {
    const own = await aTreatment(staff, { unit_price: '50.00', vat: '0' })
    const { body } = await staff.post(
      BUDGETS,
      aRequest({ items: [{ treatment_id: own.id }, { treatment_id: own.id, unit_price: '12.5' }] })
    )
    expect(body.data.totals.total).toBe('62.50')
    await staff.patch(`/api/v1/catalog/treatments/${own.id}`, {
      name: { en: 'Renamed', es: 'Renombrado' },
      unit_price: '999.00'
    })
    const { body: later } = await staff.get(`${BUDGETS}/${body.data.id}`)
    expect(later.data.items.map((item: any) => [item.name, item.unit_price])).toEqual([
      ['Empaste', '50.00'],
      ['Empaste', '12.50']
    ])
  })

  it('is possible without lines', async () => {
    const { status, body } = await staff.post(BUDGETS, aRequest({ items: [] }))
    expect(status).toBe(201)
    expect(body.data.totals).toEqual({ original: '0.00', discount: '0.00', total: '0.00', tax: '0.00' })
  })

  it('sets the end of validity to the end of the last day in the clinic\'s zone', async () => {
    const { body } = await staff.post(BUDGETS, aRequest({ valid_until: '2099-06-30' }))
    expect(body.data.expires_at).toBe('2099-06-30T22:00:00.000Z')
  })

  it('results in the same content digest each time it is read', async () => {
    const draft = await aDraft(instance)
    const { body } = await staff.get(`${BUDGETS}/${draft.id}`)
    expect(body.data.content_digest).toMatch(/^[0-9a-f]{64}$/)
    expect(body.data.content_digest).toBe(draft.content_digest)
  })
})

describe('creating a budget is refused', () => {
  const nobody = '00000000-0000-4000-8000-000000000000'
  const cases: [string, () => Record<string, unknown>, string][] = [
    ['an unknown patient', () => ({ patient_id: nobody }), '/patient_id'],
    ['a malformed patient id', () => ({ patient_id: 'x' }), '/patient_id'],
    ['an unknown professional', () => ({ professional_id: nobody }), '/professional_id'],
    [
      'an unknown treatment',
      () => ({ items: [{ treatment_id: treatment.id }, { treatment_id: nobody }] }),
      '/items/1/treatment_id'
    ],
    ['a quantity of zero', () => ({ items: [{ treatment_id: treatment.id, quantity: 0 }] }), '/items/0/quantity'],
    ['a quantity of 1000', () => ({ items: [{ treatment_id: treatment.id, quantity: 1000 }] }), '/items/0/quantity'],
    ['a fractional quantity', () => ({ items: [{ treatment_id: treatment.id, quantity: 1.5 }] }), '/items/0/quantity'],
    ['a price as a number', () => ({ items: [{ treatment_id: treatment.id, unit_price: 12 }] }), '/items/0/unit_price'],
    [
      'a price with too many decimals',
      () => ({ items: [{ treatment_id: treatment.id, unit_price: '1.234' }] }),
      '/items/0/unit_price'
    ],
    [
      'a negative price',
      () => ({ items: [{ treatment_id: treatment.id, unit_price: '-1.00' }] }),
      '/items/0/unit_price'
    ],
    [
      'a price that is too high',
      () => ({ items: [{ treatment_id: treatment.id, unit_price: '999999999999999' }] }),
      '/items/0/unit_price'
    ],
    [
      'more than 100 percent',
      () => ({ global_discount: { type: 'percent', value: '100.01' } }),
      '/global_discount/value'
    ],
    [
      'three decimals of a percent',
      () => ({ global_discount: { type: 'percent', value: '1.001' } }),
      '/global_discount/value'
    ],
    ['a discount of another kind', () => ({ global_discount: { type: 'gift', value: '1' } }), '/global_discount/type'],
    ['a day in the past', () => ({ valid_until: '2020-01-01' }), '/valid_until'],
    ['a day that doesn\'t exist', () => ({ valid_until: '2027-02-30' }), '/valid_until'],
    ['an unknown field', () => ({ discount: '1' }), '/discount'],
    ['an unknown field of a line', () => ({ items: [{ treatment_id: treatment.id, price: '1' }] }), '/items/0/price'],
    ['control characters', () => ({ items: [{ treatment_id: treatment.id, tooth: '1\u0007' }] }), '/items/0/tooth'],
    [
      'a note of a line that is too long',
      () => ({ items: [{ treatment_id: treatment.id, note: 'x'.repeat(501) }] }),
      '/items/0/note'
    ],
    ['a text that is too long', () => ({ patient_notes: 'x'.repeat(5001) }), '/patient_notes'],
    [
      'too many lines',
      () => ({ items: Array.from({ length: 201 }, () => ({ treatment_id: treatment.id })) }),
      '/items'
    ],
    ['no lines at all', () => ({ items: undefined }), '/items']
  ]

  it.each(cases)('with 422: %s', async (_name, fields, pointer) => {
    const { status, body } = await staff.post(BUDGETS, aRequest(fields()))
    expect([status, body.code, body.errors?.map((error: any) => error.pointer)]).toEqual([
      422,
      'validation_failed',
      [pointer]
    ])
  })

  it('for a global amount above the sum: discount_exceeds_total', async () => {
    const { status, body } = await staff.post(
      BUDGETS,
      aRequest({ global_discount: { type: 'amount', value: '121.01' } })
    )
    expect([status, body.code]).toEqual([422, 'discount_exceeds_total'])
  })

  it('with a treatment that is not offered any more', async () => {
    const gone = await aTreatment(staff, { active: false })
    const { body } = await staff.post(BUDGETS, aRequest({ items: [{ treatment_id: gone.id }] }))
    expect(body.errors[0].pointer).toBe('/items/0/treatment_id')
  })

  it('with another clinic\'s patient, professional or treatment', async () => {
    const there = await instance.anotherClinic()
    const others = await instance.as('admin', there)
    const [theirs, their] = [await aPatient(others), await aTreatment(others)]
    const professional = await aProfessional(instance, there)
    const { body } = await staff.post(BUDGETS, {
      patient_id: theirs.id,
      professional_id: professional.id,
      items: [{ treatment_id: their.id }]
    })
    expect(body.errors.map((error: any) => error.pointer)).toEqual([
      '/patient_id',
      '/professional_id',
      '/items/0/treatment_id'
    ])
  })

  it('to a person without the permission', async () => {
    const assistant = await instance.as('assistant')
    const { status, body } = await assistant.post(BUDGETS, aRequest())
    expect([status, body.detail]).toEqual([403, 'Permission denied: budget.write'])
    expect((await assistant.get(BUDGETS)).status).toBe(200)
    expect((await instance.anonymous().get(BUDGETS)).status).toBe(401)
  })
})

describe('budget numbers', () => {
  it('are consecutive and distinct under 50 parallel creations, and a refused creation uses none', async () => {
    const clinic = await instance.anotherClinic()
    const there = await instance.as('admin', clinic)
    const request = { patient_id: (await aPatient(there)).id, items: [{ treatment_id: (await aTreatment(there)).id }] }
    const refused = { ...request, global_discount: { type: 'amount', value: '9999.00' } }
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => there.post(BUDGETS, index % 6 === 5 ? refused : request))
    )
    const numbers = answers.filter(answer => answer.status === 201).map(answer => answer.body.data.number).sort()
    expect(numbers).toEqual(
      Array.from({ length: 50 }, (_, index) => `PRES-${year()}-${String(index + 1).padStart(4, '0')}`)
    )
    expect(answers.filter(answer => answer.status === 422)).toHaveLength(10)
  })

  it('are not reused: a deleted draft leaves its number unused', async () => {
    const first = await aDraft(instance)
    expect((await staff.delete(`${BUDGETS}/${first.id}`)).status).toBe(204)
    const second = await aDraft(instance)
    expect(Number(second.number.slice(-4))).toBe(Number(first.number.slice(-4)) + 1)
  })
})
