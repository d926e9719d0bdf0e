import { hash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convertPrice, formatMoney, parseMoney } from '@svc/kit/money'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import {
  ACCEPTANCE,
  aDraft,
  aPatient,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  BUDGETS,
  eventually
} from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const TREATMENTS = '/api/v1/catalog/treatments'
const CLINIC = '/api/v1/clinic'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

/** The administrator of an empty clinic. */
const aClinic = async () => {
  const clinic = await instance.anotherClinic()
  return { clinic, admin: await instance.as('admin', clinic) }
}
const include = async (admin: Caller, prices_include_tax: boolean) => {
  const { status, body } = await admin.patch(CLINIC, { prices_include_tax })
  expect([status, body.data?.prices_include_tax]).toEqual([200, prices_include_tax])
}
const priceOf = async (admin: Caller, id: string) =>
  (await admin.get(`${TREATMENTS}/${id}`)).body.data.unit_price as string
const codeOf = ({ status, body }: { status: number, body: { code?: string } }) => [status, body.code]

describe('the setting of a clinic', () => {
  it('is off by default; when it changes, prices are converted half-up, and the screens show the new mode', async () => {
    const { admin } = await aClinic()
    const taxed = await aTreatment(admin, { unit_price: '247.93', vat: '21' })
    const exempt = await aTreatment(admin, { unit_price: '60.00', vat: '0' })
    expect((await admin.get(CLINIC)).body.data.prices_include_tax).toBe(false)
    expect((await admin.get('/api/v1/auth/screen')).body.data.prices_include_tax).toBe(false)
    expect(taxed).not.toHaveProperty('prices_include_tax')

    await include(admin, true)
    expect((await admin.get('/api/v1/auth/screen')).body.data.prices_include_tax).toBe(true)
    expect((await admin.get(TREATMENTS)).body.data).toEqual(expect.arrayContaining([
      expect.objectContaining({ id: taxed.id, unit_price: '300.00', prices_include_tax: true }),
      expect.objectContaining({ id: exempt.id, unit_price: '60.00', prices_include_tax: true })
    ]))

    await include(admin, false)
    expect([await priceOf(admin, taxed.id), await priceOf(admin, exempt.id)]).toEqual(['247.93', '60.00'])
  })

  it('changes the version of a treatment only with its price, so that an outdated form is refused', async () => {
    const { admin } = await aClinic()
    const [taxed, exempt] = [await aTreatment(admin), await aTreatment(admin, { vat: '0' })]
    await include(admin, true)
    const ifFirst = { headers: { 'if-match': '"1"' } }
    expect((await admin.patch(`${TREATMENTS}/${taxed.id}`, { unit_price: '90.00' }, ifFirst)).status).toBe(412)
    expect((await admin.patch(`${TREATMENTS}/${exempt.id}`, { unit_price: '90.00' }, ifFirst)).status).toBe(200)
  })

  interface Priced { code: string, unit_price: string, vat: number }
  const readPrices = async (clinic: { id: string }) => [...await instance.sql<Priced[]>`
    select code, unit_price::text, vat from catalog_treatment where clinic_id = ${clinic.id} order by code`]
  const withThousandPrices = async ({ include_tax }: { include_tax: boolean }) => {
    const { clinic, admin } = await aClinic()
    if (include_tax) await include(admin, true)
    await instance.sql`
      insert into catalog_treatment (clinic_id, code, name, unit_price, vat, search)
      select ${clinic.id}, 'P' || n, '{"en":"Any"}', (n * 7919::bigint * n) % 1000003 + (n % 7) * 123456789012, (n * 37) % 10001, 'p'
      from generate_series(0, 999) n`
    return { clinic, admin }
  }
  const convertedFrom = (rows: Priced[], to_include_tax: boolean) => rows.map(({ unit_price, vat, ...row }) =>
    ({ ...row, unit_price: String(convertPrice(BigInt(unit_price), { vat: BigInt(vat), to_include_tax })), vat }))

  it.each([true, false])('converts each price as the pricing does; with tax: %s', async (to_include_tax) => {
    const { clinic, admin } = await withThousandPrices({ include_tax: !to_include_tax })
    const before = await readPrices(clinic)
    await include(admin, to_include_tax)
    expect(await readPrices(clinic)).toEqual(convertedFrom(before, to_include_tax))
  })

  it.each([true, false])('restores each entered price when it is changed back, unless the price was edited; with tax first: %s', async (first) => {
    const { clinic, admin } = await withThousandPrices({ include_tax: !first })
    const typed = await readPrices(clinic)
    await include(admin, first)
    const converted = await readPrices(clinic)
    for (let turn = 0; turn < 2; turn++) {
      await include(admin, !first)
      expect(await readPrices(clinic)).toEqual(typed)
      await include(admin, first)
      expect(await readPrices(clinic)).toEqual(converted)
    }
    await instance.sql`
      update catalog_treatment set unit_price = unit_price + right(code, 1)::int % 2, vat = vat - (vat / 5000) * (right(code, 1)::int % 3)
      where clinic_id = ${clinic.id}`
    const edited = await readPrices(clinic)
    const isEdited = edited.map((row, index) => JSON.stringify(row) !== JSON.stringify(converted[index]))
    expect(isEdited.filter(Boolean).length).toBeGreaterThan(300)
    await include(admin, !first)
    const computed = convertedFrom(edited, !first)
    expect(await readPrices(clinic)).toEqual(typed.map((row, index) => isEdited[index] ? computed[index] : row))
  })

  it('converts 100.00 with tax to 82.64 and back to 100.00, but an edited 82.64 to 99.99', async () => {
    const { admin } = await aClinic()
    await include(admin, true)
    const [kept, typed] = [await aTreatment(admin), await aTreatment(admin)]
    await include(admin, false)
    expect([await priceOf(admin, kept.id), await priceOf(admin, typed.id)]).toEqual(['82.64', '82.64'])
    const change = (id: string, fields: object) => admin.patch(`${TREATMENTS}/${id}`, fields)
    await change(kept.id, { name: { en: 'Another' }, unit_price: '82.64' }) // a form sends the price that it shows
    await change(typed.id, { unit_price: '90.00' })
    await change(typed.id, { unit_price: '82.64' })
    await include(admin, true)
    expect([await priceOf(admin, kept.id), await priceOf(admin, typed.id)]).toEqual(['100.00', '99.99'])
  })

  it('does not change the prices of another clinic', async () => {
    const [one, other] = [await aClinic(), await aClinic()]
    const theirs = await aTreatment(other.admin)
    await include(one.admin, true)
    expect(await priceOf(other.admin, theirs.id)).toBe('100.00')
  })

  it('cannot change while an installed module does not run, since it would misread its prices', async () => {
    const { admin } = await aClinic()
    await instance
      .sql`insert into core_module (name, state, category, version) values ('notes', 'installed', 'community', '1.0.0')`
    for (const answer of [
      await admin.patch(CLINIC, { prices_include_tax: true }),
      await admin.post(`${CLINIC}/preview`, { prices_include_tax: true })
    ])
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        503,
        'module_errored',
        expect.stringContaining('notes')
      ])
    expect((await admin.patch(CLINIC, { phone: '1' })).status).toBe(200)
    await instance.sql`delete from core_module where name = 'notes'`
  })

  it('and prices that are written at the same time have the same mode in the end', async () => {
    const { admin } = await aClinic()
    const post = (n: number) =>
      admin.post(TREATMENTS, {
        code: `R-${n}`,
        name: { en: 'Any' },
        unit_price: '100.00',
        vat: '21',
        prices_include_tax: false
      })
    const [, ...answers] = await Promise.all([
      admin.patch(CLINIC, { prices_include_tax: true }),
      ...Array.from({ length: 20 }, (_, n) => post(n))
    ])
    const made = answers.filter(({ status }) => status === 201).length
    expect(answers.filter(answer => answer.status !== 201).map(codeOf)).toEqual(
      Array(20 - made).fill([409, 'price_mode_changed'])
    )
    const { body } = await admin.get(`${TREATMENTS}?page_size=100`)
    expect(body.data.map((row: { unit_price: string }) => row.unit_price)).toEqual(Array(made).fill('121.00'))
  })
})

describe('the preview of a change', () => {
  it('shows how many treatments get another price, and changes nothing', async () => {
    const { admin } = await aClinic()
    const taxed = await aTreatment(admin)
    await aTreatment(admin, { vat: '0' })
    await aTreatment(admin, { unit_price: '0.00' })
    const { headers } = await admin.get(CLINIC)
    const preview = await admin.post(`${CLINIC}/preview`, { prices_include_tax: true })
    expect([preview.status, preview.body]).toEqual([
      200,
      { data: [{ field: 'prices_include_tax', what: 'converted prices of treatments', count: 1 }] }
    ])
    expect((await admin.get(CLINIC)).headers.get('etag')).toBe(headers.get('etag'))
    expect(await priceOf(admin, taxed.id)).toBe('100.00')
  })

  it('is empty for an unchanged value and for other settings', async () => {
    const { admin } = await aClinic()
    for (const change of [{}, { prices_include_tax: false }, { phone: '1' }])
      expect((await admin.post(`${CLINIC}/preview`, change)).body).toEqual({ data: [] })
  })

  it('is refused when the change would be refused', async () => {
    const { clinic, admin } = await aClinic()
    await aTreatment(admin)
    expect(codeOf(await admin.post(`${CLINIC}/preview`, { currency: 'JPY' }))).toEqual([409, 'currency_locked'])
    expect(
      codeOf(await admin.post(`${CLINIC}/preview`, { phone: '1' }, { headers: { 'if-match': '"99"' } }))
    ).toEqual([412, 'precondition_failed'])
    const dentist = await instance.as('dentist', clinic)
    expect((await dentist.post(`${CLINIC}/preview`, { prices_include_tax: true })).status).toBe(403)
  })
})

describe('a price with the mode that it was entered in', () => {
  it('is refused if the clinic has meanwhile changed its mode', async () => {
    const { admin } = await aClinic()
    const { id, ...treatment } = await aTreatment(admin, { prices_include_tax: false })
    await include(admin, true)
    const { code, name, vat } = treatment
    const again = { code: `${code}-2`, name, vat, unit_price: '10.00' }
    expect(codeOf(await admin.post(TREATMENTS, { ...again, prices_include_tax: false }))).toEqual([
      409,
      'price_mode_changed'
    ])
    expect(
      codeOf(await admin.patch(`${TREATMENTS}/${id}`, { unit_price: '10.00', prices_include_tax: false }))
    ).toEqual([409, 'price_mode_changed'])
    expect((await admin.post(TREATMENTS, { ...again, prices_include_tax: true })).status).toBe(201)
    expect((await admin.patch(`${TREATMENTS}/${id}`, { unit_price: '10.00' })).body.data).toMatchObject({
      unit_price: '10.00',
      prices_include_tax: true
    })
  })
})

describe('budgets of a clinic whose prices include tax', () => {
  beforeAll(() => include(staff, true))
  afterAll(() => include(staff, false))

  const threeTimes = async () => [{ treatment_id: (await aTreatment(staff, { unit_price: '300.00' })).id, quantity: 3 }]

  it('cost what the specification requires: 3 × 300.00 is 900.00, with 156.20 of tax', async () => {
    const draft = await aDraft(instance, { items: await threeTimes() })
    expect(draft).toMatchObject({
      prices_include_tax: true,
      items: [{ unit_price: '300.00', original_price: '900.00', price: '900.00', tax: '156.20', discounted: false }],
      totals: { original: '900.00', discount: '0.00', total: '900.00', tax: '156.20' }
    })
  })

  it('subtract discounts from prices with tax: 270.00, and 243.00 with a global one', async () => {
    const ten = { type: 'percent', value: '10' }
    const treatment_id = (await aTreatment(staff, { unit_price: '150.00' })).id
    const draft = await aDraft(instance, { items: [{ treatment_id, quantity: 2, discount: ten }] })
    expect(draft.totals).toMatchObject({ original: '300.00', total: '270.00' })
    const { body } = await staff.patch(`${BUDGETS}/${draft.id}`, { global_discount: ten })
    expect(body.data.totals).toMatchObject({ original: '300.00', total: '243.00' })
    expect(body.data.items[0].price).toBe('243.00')
  })

  it('have the same amounts for the patient, on the PDF, in the event, the evidence and the invoice', async () => {
    const budget = await aSentBudget(instance, { items: await threeTimes() })
    const patient = await aVerifiedPatient(instance, budget)
    const { data: view } = (await patient.get(budget.base)).body
    expect(view).toMatchObject({
      prices_include_tax: true,
      items: [{ original_price: '900.00', price: '900.00' }],
      totals: { total: '900.00', tax: '156.20' }
    })
    expect((await staff.get(`${BUDGETS}/${budget.id}/preview`)).body.data.prices_include_tax).toBe(true)
    const { text } = await inspectPdf((await patient.get(`${budget.base}/pdf?locale=en`)).bytes)
    expect(text).toContain('€900.00')
    expect(text).toContain('€156.20')

    const accepted = await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, content_digest: view.content_digest })
    expect(accepted.status).toBe(200)
    const [event] = await instance
      .sql`select payload from core_event where name = 'budget.accepted' and payload ->> 'budget_id' = ${budget.id}`
    expect(event!.payload).toMatchObject({
      prices_include_tax: true,
      total: '900.00',
      content_digest: view.content_digest,
      items: [{ price: '900.00' }]
    })
    await eventually(async () => (await patient.get(budget.base)).body.data.signed_pdf.status === 'ready', 'the PDF')
    const { bytes } = await staff.get(`${BUDGETS}/${budget.id}/evidence`)
    const content = new TextDecoder().decode(unzipSync(bytes)['content.json'])
    expect([JSON.parse(content).prices_include_tax, hash('sha256', content)]).toEqual([true, view.content_digest])
    const invoice = await eventually(
      async () =>
        (await staff.get('/api/v1/billing/invoices')).body.data.find(
          (row: { budget_number?: string, total: string }) => row.total === '900.00'
        ),
      'the invoice'
    )
    expect(invoice.total).toBe('900.00')
    expect((await staff.get(`${BUDGETS}/${budget.id}`)).body.data.proof_faults).toEqual([])
  })

  it('refuse prices that were entered without tax', async () => {
    const patient_id = (await aPatient(staff)).id
    const items = await threeTimes()
    expect(codeOf(await staff.post(BUDGETS, { patient_id, items, prices_include_tax: false }))).toEqual([
      409,
      'price_mode_changed'
    ])
    const { status, body } = await staff.post(BUDGETS, { patient_id, items, prices_include_tax: true })
    expect(status).toBe(201)
    const path = `${BUDGETS}/${body.data.id}`
    expect(codeOf(await staff.patch(path, { items, prices_include_tax: false }))).toEqual([409, 'price_mode_changed'])
    expect((await staff.patch(path, { items, prices_include_tax: true })).status).toBe(200)
  })
})

describe('a budget keeps the tax mode that it was created in', () => {
  it('when the setting changes: a draft, its added lines, its revision and its copy', async () => {
    const before = await aSentBudget(instance) // 100.00 at 21 %, without tax
    const draft = await aDraft(instance)
    const digest = draft.content_digest
    const treatment_id = draft.items[0].treatment_id
    await include(staff, true)
    expect(await priceOf(staff, treatment_id)).toBe('121.00')

    const same = (await staff.get(`${BUDGETS}/${draft.id}`)).body.data
    expect(same).toMatchObject({ content_digest: digest, items: [{ unit_price: '100.00', price: '121.00' }] })
    expect(same).not.toHaveProperty('prices_include_tax')
    const { body: { data: grown } } = await staff.patch(`${BUDGETS}/${draft.id}`, {
      items: [{ id: same.items[0].id, treatment_id }, { id: null, treatment_id }],
      prices_include_tax: false
    })
    expect(grown).toMatchObject({
      items: [{ unit_price: '100.00', price: '121.00' }, { unit_price: '100.00', price: '121.00' }],
      totals: { total: '242.00' }
    })
    expect(codeOf(await staff.patch(`${BUDGETS}/${draft.id}`, { prices_include_tax: true }))).toEqual([
      409,
      'price_mode_changed'
    ])

    const sent = (await staff.get(`${BUDGETS}/${before.id}`)).body.data
    for (const verb of ['revise', 'duplicate']) {
      const { body } = await staff.post(`${BUDGETS}/${before.id}/${verb}`)
      expect(body.data).toMatchObject({ items: [{ unit_price: '100.00' }], totals: sent.totals })
      expect(body.data).not.toHaveProperty('prices_include_tax')
    }
    const patient = await aVerifiedPatient(instance, before)
    expect((await patient.get(before.base)).body.data.totals.total).toBe('121.00')

    const other = await aDraft(instance, { items: [{ treatment_id }] })
    expect(other).toMatchObject({ prices_include_tax: true, items: [{ unit_price: '121.00', price: '121.00' }] })
    await include(staff, false)
    const { body } = await staff.post(`${BUDGETS}/${other.id}/duplicate`)
    expect(body.data).toMatchObject({ prices_include_tax: true, items: [{ unit_price: '121.00', price: '121.00' }] })
  })

  it('when SQL changes it', async () => {
    const { id } = await aDraft(instance)
    await expect(instance.sql`update budget set prices_include_tax = true where id = ${id}`).rejects.toThrow(
      'keeps prices_include_tax as it was created'
    )
  })

  it('under the seal once it is sent: a change with the triggers off is noticed', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update budget set prices_include_tax = true where id = ${budget.id}`
    })
    const patient = await aVerifiedPatient(instance, budget)
    expect(codeOf(await patient.get(budget.base))).toEqual([500, 'content_tampered'])
    expect((await staff.get(`${BUDGETS}/${budget.id}`)).body.data.proof_faults).toContain('content_tampered')
  })
})

describe('in a currency without decimals', () => {
  it('prices are converted to whole units', async () => {
    const { admin } = await aClinic()
    await admin.patch(CLINIC, { currency: 'JPY' })
    const { id } = await aTreatment(admin, { unit_price: '1005', vat: '10' })
    await include(admin, true)
    expect(await priceOf(admin, id)).toBe(
      formatMoney(convertPrice(parseMoney('1005', 'JPY')!, { vat: 1000n, to_include_tax: true }), 'JPY')
    )
    expect(await priceOf(admin, id)).toBe('1106')
  })
})
