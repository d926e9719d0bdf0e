import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aSentBudget, aTreatment, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { advanceCalls } from '../../support/documents/advances.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const DAY = '2026-01-15'

let instance: Instance
let staff: Caller
let treatment_id: string
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  await loadDocuments()
  await instance.sql`update core_clinic set tax_number = 'B12345674' where id = ${instance.clinic.id}`
  treatment_id = (await aTreatment(staff)).id
})
afterAll(() => instance.close())

/** Four lines of 121.00. */
const accepted = () =>
  advanceCalls(instance, staff).accepted({ items: Array(4).fill({ treatment_id }) })
const itemsOf = async (id: string) =>
  (await staff.get(`${BUDGETS}/${id}`)).body.data.items.map((item: any) => item.id as string)
const setDone = async (id: string, item_ids: string[], done_on: string | null = DAY) =>
  expect((await staff.post(`${BUDGETS}/${id}/done`, { items: item_ids.map(item_id => ({ item_id, done_on })) })).status).toBe(200)
const invoiceDone = (id: string, caller = staff) => caller.post(`/api/v1/billing/budgets/${id}/invoice-done`)
const billing = async (id: string) => (await staff.get(`/api/v1/billing/budgets/${id}`)).body.data
const issue = (id: string) => staff.post(`${INVOICES}/${id}/issue`)
const budgetItems = (invoice: any) => invoice.items.map((item: any) => item.budget_item_id)

describe('“Invoice what is done”', () => {
  it('drafts exactly the done lines, and the others stay in the first draft', async () => {
    const budget = await accepted()
    const items = await itemsOf(budget.id)
    await setDone(budget.id, [items[2]!, items[0]!])
    const { status, body } = await invoiceDone(budget.id)
    expect([status, body.detail]).toEqual([200, undefined])
    expect(body.data).toMatchObject({ status: 'draft', total: '242.00', tax: '42.00', budget: { id: budget.id } })
    expect(budgetItems(body.data)).toEqual([items[0], items[2]])
    expect(budgetItems((await staff.get(`${INVOICES}/${budget.invoice}`)).body.data)).toEqual([items[1], items[3]])
  })

  it('drafts nothing twice: a repeated call answers the same draft, and what is done later gets another one', async () => {
    const { id } = await accepted()
    const items = await itemsOf(id)
    await setDone(id, [items[0]!])
    const answers = await Promise.all(Array.from({ length: 4 }, () => invoiceDone(id)))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    await setDone(id, [items[1]!])
    const second = (await invoiceDone(id)).body.data
    expect(budgetItems(second)).toEqual([items[1]])
    expect((await staff.get(`${INVOICES}?budget_id=${id}`)).body.total).toBe(3)
  })

  it('answers the draft itself if all of it is done, and 409 nothing_done if nothing of a draft is', async () => {
    const budget = await accepted()
    const items = await itemsOf(budget.id)
    expect((await invoiceDone(budget.id)).body.code).toBe('nothing_done')
    await setDone(budget.id, items)
    expect((await invoiceDone(budget.id)).body.data.id).toBe(budget.invoice)
    await issue(budget.invoice)
    const { status, body } = await invoiceDone(budget.id)
    expect([status, body.code]).toEqual([409, 'nothing_done'])
  })

  it('takes what is done of all drafts, also parts of a quantity', async () => {
    const items = [{ treatment_id, quantity: 3 }, { treatment_id }]
    const budget = await advanceCalls(instance, staff).accepted({ items })
    const [first] = await itemsOf(budget.id)
    const { items: [line, other] } = (await staff.get(`${INVOICES}/${budget.invoice}`)).body.data
    await staff.post(`${INVOICES}/${budget.invoice}/split`, {
      items: [{ item_id: line.id, quantity: 1 }, { item_id: other.id }]
    })
    await setDone(budget.id, [first!])
    expect((await invoiceDone(budget.id)).body.data).toMatchObject({ total: '121.00', items: [{ quantity: 1 }] })
    expect(await billing(budget.id)).toMatchObject({ done: { items: 1, amount: '363.00' }, open: '484.00' })
  })

  it('needs billing.write, and a budget of the clinic', async () => {
    const { id } = await accepted()
    expect((await invoiceDone(id, await instance.as('dentist'))).status).toBe(403)
    const other = await instance.as('admin', await instance.anotherClinic())
    expect((await invoiceDone(id, other)).status).toBe(404)
    expect((await invoiceDone('x')).status).toBe(404)
  })
})

describe('what is invoiced of a budget', () => {
  it('is nothing before the acceptance', async () => {
    const { id } = await aSentBudget(instance)
    expect(await billing(id)).toMatchObject({
      total: '0.00', invoiced: '0.00', credited: '0.00', open: '0.00', cancelled: '0.00', items: []
    })
  })

  it('is what was issued; drafts are open, and cancelled drafts are in a place of their own', async () => {
    const budget = await accepted()
    const items = await itemsOf(budget.id)
    expect(await billing(budget.id)).toMatchObject({ total: '484.00', invoiced: '0.00', open: '484.00' })
    await setDone(budget.id, [items[0]!, items[1]!])
    const { body: { data: { id, items: [line] } } } = await invoiceDone(budget.id)
    await issue(id)
    const { body: { data: part } } = await staff.post(`${INVOICES}/${budget.invoice}/split`, {
      items: [{ item_id: (await staff.get(`${INVOICES}/${budget.invoice}`)).body.data.items[0].id }]
    })
    await staff.post(`${INVOICES}/${part.id}/cancel`, { reason: 'Not wanted.' })
    const { body: { data: note } } = await staff.post(`${INVOICES}/${id}/credit`, {
      reason: 'Goodwill.', items: [{ item_id: line.id, amount: '21.00' }]
    })
    await issue(note.id)
    const row = { price: '121.00', invoiced: '0.00', open: '0.00', cancelled: '0.00' }
    expect(await billing(budget.id)).toEqual({
      budget_id: budget.id, currency: 'EUR', total: '484.00',
      invoiced: '242.00', credited: '21.00', open: '121.00', cancelled: '121.00',
      done: { items: 0, amount: '0.00' },
      items: [
        { ...row, budget_item_id: items[0], invoiced: '121.00', done_on: DAY },
        { ...row, budget_item_id: items[1], invoiced: '121.00', done_on: DAY },
        { ...row, budget_item_id: items[2], cancelled: '121.00', done_on: null },
        { ...row, budget_item_id: items[3], open: '121.00', done_on: null }
      ]
    })
  })
})
