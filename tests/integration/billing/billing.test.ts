import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ACCEPTANCE,
  aDraft,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  eventually,
  type SentBudget
} from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { anInvoice, INVOICES } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
  await loadDocuments()
})
afterAll(() => instance.close())

async function anAcceptedBudget(fields: Record<string, unknown> = {}): Promise<SentBudget> {
  const budget = await aSentBudget(instance, fields)
  const patient = await aVerifiedPatient(instance, budget)
  expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  return budget
}
const invoicesOf = async (budget: { id: string }) =>
  (await (await instance.as('admin')).get(`${INVOICES}?budget_id=${budget.id}`)).body
const theInvoiceOf = async (budget: { id: string }) =>
  eventually(async () => (await invoicesOf(budget)).data[0], 'the draft invoice')
const pending = async () =>
  (await instance.sql`select 1 from core_delivery where module_name = 'billing' and status = 'pending'`).length
const allDelivered = () => eventually(async () => await pending() === 0, 'delivery of everything')

describe('an accepted budget', () => {
  it('becomes a draft invoice without a number, line for line at the prices that the patient agreed to', async () => {
    const staff = await instance.as('admin')
    const treatments = [
      await aTreatment(staff, { vat: '21' }),
      await aTreatment(staff, { unit_price: '33.33', vat: '0' })
    ]
    const items = [
      { treatment_id: treatments[0].id },
      { treatment_id: treatments[1].id, quantity: 3, discount: { type: 'percent', value: '7.5' } }
    ]
    const budget = await anAcceptedBudget({ items, global_discount: { type: 'percent', value: '10' } })
    const { id } = await theInvoiceOf(budget)

    const { body } = await staff.get(`${INVOICES}/${id}`)
    const detail = (await staff.get(`/api/v1/budget/budgets/${budget.id}`)).body.data
    expect(body.data).toMatchObject({
      number: null, status: 'draft', currency: 'EUR', issued_at: null, paid: '0.00',
      budget: { id: budget.id, number: budget.number, version: 1 },
      patient: detail.patient && { id: detail.patient_id, first_name: 'Lucía', last_name: 'Muñoz' },
      total: detail.totals.total, tax: detail.totals.tax
    })
    expect(
      body.data.items.map((item: any) => [item.code, item.name, item.quantity, item.vat, item.price, item.tax])
    ).toEqual(
      detail.items.map((item: any, at: number) => [
        item.code,
        treatments[at].name,
        item.quantity,
        item.vat,
        item.price,
        item.tax
      ])
    )
    expect(body.data.items.map((item: any) => item.price)).toEqual(['108.90', '83.24'])
  })

  it('has exactly one invoice, even if its event is delivered again, ten times at once', async () => {
    const budget = await anAcceptedBudget()
    await theInvoiceOf(budget)
    const { host } = instance.runtime
    const payload = { clinic_id: instance.clinic.id, budget_id: budget.id }
    await Promise.all(
      Array.from({ length: 10 }, () => host.events.publish<string>(host.db, 'budget.accepted', payload))
    )
    await instance.sql`update core_delivery set status = 'pending' where module_name = 'billing'`
    await host.events.publish<string>(host.db, 'budget.accepted', payload, { key: budget.id })
    await instance.restart()
    await allDelivered()
    expect(await invoicesOf(budget)).toMatchObject({ total: 1, data: [{ status: 'draft' }] })
  })

  it('keeps its single invoice even if that was cancelled before the event is delivered again', async () => {
    const budget = await anAcceptedBudget()
    const { id } = await theInvoiceOf(budget)
    await instance.sql`update billing_invoice set status = 'cancelled', cancelled_at = now() where id = ${id}`
    const { host } = instance.runtime
    await host.events.publish<string>(host.db, 'budget.accepted', {
      clinic_id: instance.clinic.id,
      budget_id: budget.id
    })
    await allDelivered()
    expect(await invoicesOf(budget)).toMatchObject({ total: 1, data: [{ id, status: 'cancelled' }] })
  })
})

describe('the list of invoices', () => {
  it('is filtered by status and patient, and paged', async () => {
    const staff = await instance.as('receptionist')
    const budget = await anAcceptedBudget()
    const { patient } = await theInvoiceOf(budget)
    const total = async (query: string) => (await staff.get(`${INVOICES}?${query}`)).body.total
    expect(await total(`patient_id=${patient.id}`)).toBe(1)
    expect(await total(`patient_id=${patient.id}&status=draft&status=paid`)).toBe(1)
    expect(await total(`patient_id=${patient.id}&status=issued`)).toBe(0)
    expect((await staff.get(`${INVOICES}?page=2&page_size=1`)).body).toMatchObject({ page: 2, page_size: 1 })
    expect((await staff.get(`${INVOICES}?status=lost`)).status).toBe(422)
  })

  it('needs billing.read: 403 Permission denied: billing.read', async () => {
    const { status, body } = await (await instance.as('hygienist')).get(INVOICES)
    expect([status, body.code, body.detail]).toEqual([403, 'permission_denied', 'Permission denied: billing.read'])
    expect((await instance.anonymous().get(INVOICES)).status).toBe(401)
  })

  it('shows nothing of another clinic; unknown, malformed and foreign ids are 404', async () => {
    const { id } = await theInvoiceOf(await anAcceptedBudget())
    const other = await instance.as('admin', await instance.anotherClinic())
    expect((await other.get(INVOICES)).body.total).toBe(0)
    for (const wrong of [id, UNKNOWN, 'x']) expect((await other.get(`${INVOICES}/${wrong}`)).status, wrong).toBe(404)
  })
})

describe('the doctor', () => {
  const findings = async () => {
    const { definition, ctx } = instance.runtime.host.registry.get('billing')!
    return await definition.doctor!(ctx)
  }

  it('reports an accepted budget that has had no invoice for ten minutes', async () => {
    const budget = await anAcceptedBudget()
    const { id } = await theInvoiceOf(budget)
    await instance.sql`delete from billing_invoice where id = ${id}`
    expect(await findings()).toEqual([])
    await instance.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      await sql`update budget set decided_at = decided_at - interval '11 minutes' where id = ${budget.id}`
    })
    expect(await findings()).toMatchObject([{ code: 'invoice_missing', object: budget.number, advice: true }])
  })
})

describe('the reports count', () => {
  it('an issued invoice in its month of issue, drafts separately, and what is credited taken off', async () => {
    const clinic = await instance.anotherClinic()
    const staff = await instance.as('admin', clinic)
    const invoiced = async () => (await staff.get('/api/v1/reports/acceptance')).body.data.totals
    const [issued, cancelled, draft] = [
      await anInvoice(instance, { clinic }),
      await anInvoice(instance, { clinic }),
      await anInvoice(instance, { clinic })
    ]
    expect(await invoiced()).toMatchObject({ invoices: 0, invoiced_amount: '0.00', invoice_drafts: 3 })
    for (const id of [issued, cancelled]) expect((await staff.post(`${INVOICES}/${id}/issue`)).status).toBe(200)
    expect(await invoiced()).toMatchObject({ invoices: 2, invoiced_amount: '242.00', invoice_drafts: 1 })
    for (const id of [cancelled, draft])
      expect((await staff.post(`${INVOICES}/${id}/cancel`, { reason: 'No' })).status).toBe(200)
    expect(await invoiced()).toMatchObject({ invoices: 2, invoiced_amount: '121.00', invoice_drafts: 0 })
    expect((await staff.post(`${INVOICES}/${issued}/payments`, { amount: '121.00', method: 'cash' })).status).toBe(201)
    expect(await invoiced()).toMatchObject({ invoices: 2, invoiced_amount: '121.00', invoice_drafts: 0 })
  })
})

describe('the database', () => {
  it('refuses an issued invoice without a number, and a draft with one', async () => {
    const { id } = await theInvoiceOf(await anAcceptedBudget())
    await expect(
      instance.sql`update billing_invoice set status = 'issued', issued_at = now() where id = ${id}`
    ).rejects.toThrow('billing_invoice_issued')
    await expect(
      instance.sql`update billing_invoice set number = '1', issued_at = now() where id = ${id}`
    ).rejects.toThrow('billing_invoice_issued')
  })

  it('refuses an invoice for a budget that was not accepted', async () => {
    const draft = await aDraft(instance)
    await allDelivered()
    expect((await invoicesOf(draft)).total).toBe(0)
  })
})
