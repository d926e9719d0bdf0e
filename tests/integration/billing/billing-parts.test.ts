import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aTreatment, eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { advanceCalls, ADVANCES, YEAR } from '../../support/documents/advances.ts'
import { anInvoice, anIssuedInvoice, INVOICES, someInvoices } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
let items: { treatment_id: string, quantity?: number }[]
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  await loadDocuments()
  // 100.00 without tax, 3 × 33.33 with 21 %, 50.00 with 21 %.
  items = [
    { treatment_id: (await aTreatment(staff, { vat: '0' })).id },
    { treatment_id: (await aTreatment(staff, { unit_price: '33.33' })).id, quantity: 3 },
    { treatment_id: (await aTreatment(staff, { unit_price: '50.00' })).id }
  ]
})
afterAll(() => instance.close())

const REASON = 'Agreed with the patient.'
const accepted = (fields: object = {}) => advanceCalls(instance, staff).accepted({ items, ...fields })
const split = (id: string, items: object[], headers = {}, caller = staff) =>
  caller.post(`${INVOICES}/${id}/split`, { items }, { headers })
const issue = (id: string, caller = staff) => caller.post(`${INVOICES}/${id}/issue`)
const cancel = (id: string, caller = staff) => caller.post(`${INVOICES}/${id}/cancel`, { reason: REASON })
const read = async (id: string) => (await staff.get(`${INVOICES}/${id}`)).body.data
const invoicesOf = async (budget: { id: string }) =>
  (await staff.get(`${INVOICES}?budget_id=${budget.id}&sort=created_at`)).body.data
const lineOf = ({ id, quantity, price, tax }: any) => ({ item_id: id, quantity, price, tax })

async function aPart(id: string, items: object[]): Promise<any> {
  const { status, body } = await split(id, items)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

describe('splitting a draft', () => {
  it('moves lines into a new draft of the same budget, and both add up to what was accepted', async () => {
    const budget = await accepted()
    const before = await read(budget.invoice)
    const part = await aPart(budget.invoice, [{ item_id: before.items[2].id }, { item_id: before.items[0].id }])
    const after = await read(budget.invoice)
    expect(part).toMatchObject({
      kind: 'invoice', status: 'draft', number: null, currency: 'EUR', locale: before.locale,
      budget: before.budget, patient: before.patient, total: '160.50', tax: '10.50'
    })
    expect(part.items).toEqual([before.items[0], before.items[2]])
    expect(after).toMatchObject({ total: '120.99', tax: '21.00', status: 'draft' })
    expect(after.items).toEqual([before.items[1]])
    expect(after.taxes).toEqual([{ vat: '21', net: '99.99', tax: '21.00', gross: '120.99' }])
    expect((await invoicesOf(budget)).map((row: any) => row.id)).toEqual([budget.invoice, part.id])
  })

  it('moves a part of a quantity; parts are rounded so that the last one takes the rest', async () => {
    const { invoice } = await accepted({ items: [items[0], { ...items[1], discount: { type: 'amount', value: '0.01' } }] })
    const { items: [, whole], total } = await read(invoice)
    const one = await aPart(invoice, [{ item_id: whole.id, quantity: 1 }])
    const two = await aPart(invoice, [{ item_id: whole.id, quantity: 1 }])
    const rest = await read(invoice)
    const parts = [one.items[0], two.items[0], rest.items[1]]
    expect(parts.map(lineOf)).toMatchObject([
      { quantity: 1, price: '40.33' }, { quantity: 1, price: '40.33' }, { item_id: whole.id, quantity: 1, price: '40.32' }
    ])
    const cents = (text: string) => Math.round(Number(text) * 100)
    for (const money of ['price', 'tax'])
      expect(parts.reduce((sum, part) => sum + cents(part[money]), 0)).toBe(cents(whole[money]))
    expect(cents(one.total) + cents(two.total) + cents(rest.total)).toBe(cents(total))
    expect(parts.map(({ budget_item_id }) => budget_item_id)).toEqual(Array(3).fill(whole.budget_item_id))
  })

  it('refuses a line of another draft, all lines, and no lines: 422', async () => {
    const { invoice } = await accepted()
    const { items: lines } = await read(invoice)
    const all = lines.map(({ id }: any) => ({ item_id: id }))
    for (const wrong of [
      [], all, [{ item_id: invoice }], [all[0], all[0]], [{ ...all[1], quantity: 0 }],
      [...all.slice(0, 2), { ...all[2], quantity: 1 }]
    ])
      expect((await split(invoice, wrong)).status, JSON.stringify(wrong)).toBe(422)
    expect((await read(invoice)).items).toEqual(lines)
  })

  it('refuses more than the quantity of a line: 409 over_split with the quantity', async () => {
    const { invoice } = await accepted()
    const { items: [, line] } = await read(invoice)
    const { status, body } = await split(invoice, [{ item_id: line.id, quantity: 4 }])
    expect([status, body.code, body.quantity]).toEqual([409, 'over_split', 3])
  })

  it('is possible only for a draft of an invoice: 409 wrong_state', async () => {
    const issued = await anIssuedInvoice(instance, staff)
    const paid = await anIssuedInvoice(instance, staff)
    await staff.post(`${INVOICES}/${paid.id}/payments`, { amount: paid.total, method: 'cash' })
    const credited = await anIssuedInvoice(instance, staff)
    await cancel(credited.id)
    const cancelled = await anInvoice(instance)
    await cancel(cancelled)
    const { body: { data: note } } = await staff.post(`${INVOICES}/${issued.id}/credit`, { reason: REASON })
    for (const id of [issued.id, paid.id, credited.id, cancelled, note.id]) {
      const { status, body } = await split(id, [{ item_id: issued.items[0].id }])
      expect([status, body.code]).toEqual([409, 'wrong_state'])
    }
  })

  it('with a stale If-Match is refused: 412', async () => {
    const { invoice } = await accepted()
    const { headers, body: { data: { items: [line] } } } = await staff.get(`${INVOICES}/${invoice}`)
    const if_match = { 'if-match': headers.get('etag') }
    expect((await split(invoice, [{ item_id: line.id }], if_match)).status).toBe(201)
    const { status, body } = await split(invoice, [{ item_id: line.id }], if_match)
    expect([status, body.code]).toEqual([412, 'precondition_failed'])
  })

  it('names the lines of the budget in drafts of an earlier version too', async () => {
    const budget = await accepted()
    await instance.sql`update billing_invoice_line set budget_item_id = null where invoice_id = ${budget.invoice}`
    const { items: [line] } = await read(budget.invoice)
    const part = await aPart(budget.invoice, [{ item_id: line.id }])
    const { body: { data: detail } } = await staff.get(`/api/v1/budget/budgets/${budget.id}`)
    const named = [...part.items, ...(await read(budget.invoice)).items].map(item => item.budget_item_id)
    expect(named).toEqual(detail.items.map(({ id }: any) => id))
  })
})

it('an event that comes twice drafts nothing twice, also after the draft was split, issued and cancelled', async () => {
  const budget = await accepted()
  const { items: [first, second] } = await read(budget.invoice)
  const part = await aPart(budget.invoice, [{ item_id: first.id }])
  await aPart(budget.invoice, [{ item_id: second.id }])
  await issue(part.id)
  await cancel(budget.invoice)
  const { host } = instance.runtime
  const payload = { clinic_id: instance.clinic.id, budget_id: budget.id }
  await Promise.all(Array.from({ length: 5 }, () => host.events.publish<string>(host.db, 'budget.accepted', payload)))
  await eventually(async () =>
    (await instance.sql`select from core_delivery where module_name = 'billing' and status = 'pending'`).length === 0)
  expect((await invoicesOf(budget)).map(({ status }: any) => status).sort()).toEqual(['cancelled', 'draft', 'issued'])
})

describe('parts of a budget', () => {
  it('are issued with a number each, and take advances in the order of their issue', async () => {
    const budget = await accepted()
    const { items: [first] } = await read(budget.invoice)
    const part = await aPart(budget.invoice, [{ item_id: first.id }])
    const { advance } = advanceCalls(instance, staff)
    const { id: advance_id } = await advance(budget.id, '150.00')
    expect((await issue(part.id)).body.data).toMatchObject({ status: 'paid', total: '100.00', paid_in_advance: '100.00' })
    const rest = (await issue(budget.invoice)).body.data
    expect(rest).toMatchObject({ status: 'issued', total: '181.49', paid_in_advance: '50.00', due: '131.49' })
    expect((await staff.get(`${ADVANCES}/${advance_id}`)).body.data).toMatchObject({ applied: '150.00', balance: '0.00' })
  })

  it('are paid by one advance that comes later, the oldest first', async () => {
    const budget = await accepted()
    const { items: [first] } = await read(budget.invoice)
    const part = await aPart(budget.invoice, [{ item_id: first.id }])
    await issue(budget.invoice)
    await issue(part.id)
    await advanceCalls(instance, staff).advance(budget.id, '200.00')
    expect(await read(budget.invoice)).toMatchObject({ status: 'paid', paid: '181.49' })
    expect(await read(part.id)).toMatchObject({ status: 'issued', paid: '18.51', due: '81.49' })
  })

  it('share what is credited: money that one part releases pays the other one', async () => {
    const budget = await accepted()
    const { items: [first] } = await read(budget.invoice)
    const part = await aPart(budget.invoice, [{ item_id: first.id }])
    await issue(part.id)
    await issue(budget.invoice)
    await staff.post(`${INVOICES}/${part.id}/payments`, { amount: '100.00', method: 'cash' })
    const { body: { data: note } } = await staff.post(`${INVOICES}/${part.id}/credit`, { reason: REASON })
    expect((await issue(note.id)).status).toBe(200)
    expect(await read(part.id)).toMatchObject({ status: 'credited', paid: '0.00', due: '0.00' })
    expect(await read(budget.invoice)).toMatchObject({ status: 'issued', paid_in_advance: '100.00', due: '81.49' })
  })

  it('are all cancelled when the acceptance is withdrawn, and the budget needs attention until the last is credited', async () => {
    const budget = await accepted()
    const { items: [first, second] } = await read(budget.invoice)
    const one = await aPart(budget.invoice, [{ item_id: first.id }])
    const two = await aPart(budget.invoice, [{ item_id: second.id }])
    await issue(one.id)
    await issue(two.id)
    const { status } = await staff.post(`/api/v1/budget/budgets/${budget.id}/withdraw`, { requested_by: 'patient', reason: REASON })
    expect(status).toBe(200)
    await eventually(async () => (await read(budget.invoice)).status === 'cancelled')
    const waits = async () => {
      const { body } = await staff.get('/api/v1/budget/attention')
      return body.data.withdrawn_invoiced.budgets.some(({ id }: any) => id === budget.id)
    }
    await eventually(waits)
    await cancel(one.id)
    expect(await waits()).toBe(true)
    await cancel(two.id)
    expect(await waits()).toBe(false)
  })

  it('have no name after an erasure, also if a draft is split at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const budget = await accepted()
      const { items: [first], patient } = await read(budget.invoice)
      await eventually(async () =>
        (await staff.get(`/api/v1/budget/budgets/${budget.id}`)).body.data.signed_pdf.status === 'ready')
      const [erased] = await Promise.all([
        staff.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false }),
        split(budget.invoice, [{ item_id: first.id }])
      ])
      expect(erased.status, JSON.stringify(erased.body)).toBe(200)
      const rows = await instance.sql`select status, patient_first_name from billing_invoice where budget_id = ${budget.id}`
      for (const row of rows) expect({ ...row }).toEqual({ status: 'cancelled', patient_first_name: '' })
    }
  })

  it('can be issued only with the sum of their lines, and stay parts, even by SQL', async () => {
    const { sql } = instance
    const budget = await accepted()
    const { items: [first] } = await read(budget.invoice)
    const part = await aPart(budget.invoice, [{ item_id: first.id }])
    await sql`update billing_invoice set total = total + 1 where id = ${part.id}`
    const number = (id: string) => sql`
      update billing_invoice set status = 'issued', number = 'INV-2020-0001', issued_at = now() where id = ${id}`
    await expect(number(part.id)).rejects.toThrow('is not the sum of its lines')
    await expect(sql`update billing_invoice set split_from_id = null where id = ${part.id}`).rejects.toMatchObject({ code: '23001' })
    await expect(sql`update billing_invoice set split_from_id = ${part.id} where id = ${budget.invoice}`)
      .rejects.toMatchObject({ code: '23001' })
  })
})

it('30 parallel issues, credits, cancels and splits: no gap in a range, and no line is credited or invoiced twice', async () => {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  const budgets = await Promise.all(Array.from({ length: 3 }, () => aDraftOfTenLines(clinic)))
  const target = await anIssuedInvoice(instance, admin, { clinic })
  const others = await someInvoices(instance, 3, { clinic })
  const creditAndIssue = async () => {
    const credited = await admin.post(`${INVOICES}/${target.id}/credit`, {
      reason: REASON, items: [{ item_id: target.items[0].id, amount: '30.00' }]
    })
    return credited.status === 201 ? (await issue(credited.body.data.id, admin)).status : credited.body.code
  }
  /** Each line is asked for twice, once alone and once with its neighbour. */
  const splitAndIssue = async (id: string, lines: string[]) => {
    const { status, body } = await split(id, lines.map(item_id => ({ item_id })), {}, admin)
    return status === 201 ? (await issue(body.data.id, admin)).status : status
  }
  const outcomes = await Promise.all([
    ...budgets.flatMap(({ id, lines }) => [
      splitAndIssue(id, lines.slice(0, 2)), splitAndIssue(id, lines.slice(1, 3)), splitAndIssue(id, [lines[0]!]),
      splitAndIssue(id, [lines[2]!]), splitAndIssue(id, lines.slice(3, 5)), splitAndIssue(id, lines.slice(3, 5))
    ]),
    ...others.map(id => cancel(id, admin).then(({ status }) => status)),
    ...Array.from({ length: 6 }, creditAndIssue),
    ...budgets.map(({ id }) => issue(id, admin).then(({ status }) => status))
  ])
  expect(outcomes).toHaveLength(30)
  expect(outcomes.filter(outcome => ![200, 409, 422, 'over_credit'].includes(outcome))).toEqual([])
  expect(outcomes.slice(21, 27).filter(outcome => outcome === 200)).toHaveLength(4)

  const rows = await instance.sql`
    select kind, number from billing_invoice where clinic_id = ${clinic.id} and number is not null order by number`
  for (const kind of ['invoice', 'credit_note']) {
    const numbers = rows.filter(row => row.kind === kind).map(row => Number(row.number.slice(-4)))
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1))
  }
  for (const { budget_id } of budgets) {
    const lines = await instance.sql`
      select budget_item_id, price, tax from billing_invoice_line l join billing_invoice i on i.id = l.invoice_id
      where i.budget_id = ${budget_id} and i.status in ('draft', 'issued')`
    expect(new Set(lines.map(line => line.budget_item_id)).size).toBe(10)
    expect(lines).toHaveLength(10)
    const [sums] = await instance.sql`
      select sum(total)::int as total, sum(tax_total)::int as tax from billing_invoice where budget_id = ${budget_id}`
    expect({ ...sums }).toEqual({ total: 121_000, tax: 21_000 })
  }
})

/** As `billing` drafts it of a budget with ten lines of 121.00. */
async function aDraftOfTenLines(clinic: { id: string }): Promise<{ id: string, budget_id: string, lines: string[] }> {
  const id = await anInvoice(instance, { clinic, total: 121_000 })
  await instance.sql`delete from billing_invoice_line where invoice_id = ${id}`
  const lines = await instance.sql`
    insert into billing_invoice_line (invoice_id, clinic_id, position, budget_item_id, treatment_id, code, name, quantity, vat, price, tax)
    select ${id}, ${clinic.id}, n, gen_random_uuid(), gen_random_uuid(), 'T-1', '{"en": "Filling"}', 1, 2100, 12100, 2100
    from generate_series(0, 9) n returning id`
  const [{ budget_id }] = await instance.sql`select budget_id from billing_invoice where id = ${id}` as any
  return { id, budget_id, lines: lines.map(line => line.id as string) }
}

it('numbers of parts are consecutive', async () => {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  const { id, lines } = await aDraftOfTenLines(clinic)
  const { body: { data: part } } = await split(id, [{ item_id: lines[4] }], {}, admin)
  const numbers = [await issue(part.id, admin), await issue(id, admin)].map(({ body }) => body.data.number)
  expect(numbers).toEqual([`INV-${YEAR}-0001`, `INV-${YEAR}-0002`])
})
