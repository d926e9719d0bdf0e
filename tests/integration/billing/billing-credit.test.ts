import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { advanceCalls, ADVANCES, YEAR } from '../../support/documents/advances.ts'
import type { Caller } from '../../support/caller.ts'
import { anInvoice, anIssuedInvoice, INVOICES } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
  await loadDocuments()
})
afterAll(() => instance.close())

const REASON = 'The crown was not made.'
const credit = (id: string, body: object = {}, caller = staff) =>
  caller.post(`${INVOICES}/${id}/credit`, { reason: REASON, ...body })
const issue = (id: string, caller = staff) => caller.post(`${INVOICES}/${id}/issue`)
const cancel = (id: string) => staff.post(`${INVOICES}/${id}/cancel`, { reason: REASON })
const pay = (id: string, amount: string, method = 'card') => staff.post(`${INVOICES}/${id}/payments`, { amount, method })
const read = async (id: string) => (await staff.get(`${INVOICES}/${id}`)).body.data
const csv = async (path: string): Promise<Record<string, string>[]> =>
  parse((await staff.get(path)).bytes, { bom: true, columns: true })

async function aCreditNote(id: string, body: object = {}): Promise<any> {
  const { status, body: answer } = await credit(id, body)
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.data
}
async function anIssuedNote(id: string, body: object = {}): Promise<any> {
  const answer = await issue((await aCreditNote(id, body)).id)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}

describe('a credit note', () => {
  it('is drafted of all that is not credited yet, and gets a number of its own range when it is issued', async () => {
    const invoice = await anIssuedInvoice(instance, staff)
    const draft = await aCreditNote(invoice.id)
    expect(draft).toMatchObject({
      kind: 'credit_note', status: 'draft', number: null, title: null, total: '121.00', tax: '21.00', due: '0.00',
      credits: { id: invoice.id, number: invoice.number, issued_on: invoice.issued_on }, credit_reason: REASON,
      items: [{ credits_item_id: invoice.items[0].id, quantity: 1, price: '121.00', tax: '21.00' }]
    })
    expect(await read(invoice.id)).toMatchObject({ status: 'issued', credited: '0.00', due: '121.00' })
    const { status, body } = await issue(draft.id)
    expect([status, body.data.number, body.data.title]).toEqual([200, `CN-${YEAR}-0001`, 'credit_note'])
    expect(await read(invoice.id)).toMatchObject({
      status: 'credited', number: invoice.number, total: '121.00', credited: '121.00', due: '0.00',
      credit_notes: [{ id: draft.id, number: `CN-${YEAR}-0001`, status: 'issued', total: '121.00' }]
    })
  })

  it('credits an amount or a quantity of a line, and leaves the rest due', async () => {
    const invoice = await anIssuedInvoice(instance, staff)
    const [{ id: item_id }] = invoice.items
    const note = await anIssuedNote(invoice.id, { items: [{ item_id, amount: '21.00' }] })
    expect(note).toMatchObject({ total: '21.00', tax: '3.64', items: [{ quantity: 0, price: '21.00' }] })
    expect(await read(invoice.id)).toMatchObject({
      status: 'issued', credited: '21.00', due: '100.00', items: [{ left: '100.00' }]
    })
    expect((await pay(invoice.id, '100.01')).body).toMatchObject({ code: 'over_payment', due: '100.00' })
    expect((await pay(invoice.id, '100.00')).body.data).toMatchObject({ status: 'paid', due: '0.00' })
  })

  it('cannot credit a line twice: 409 over_credit with what is left, also of drafts', async () => {
    const invoice = await anIssuedInvoice(instance, staff)
    const [{ id: item_id }] = invoice.items
    const draft = await aCreditNote(invoice.id, { items: [{ item_id, amount: '100.00' }] })
    const over = await credit(invoice.id, { items: [{ item_id, amount: '21.01' }] })
    expect([over.status, over.body.code, over.body.left]).toEqual([409, 'over_credit', '21.00'])
    await anIssuedNote(invoice.id)
    const none = await credit(invoice.id)
    expect([none.status, none.body.code, none.body.left]).toEqual([409, 'over_credit', '0.00'])
    expect((await cancel(draft.id)).body.data).toMatchObject({ status: 'cancelled', number: null })
    expect((await aCreditNote(invoice.id)).total).toBe('100.00')
  })

  it('needs a reason and lines of its invoice', async () => {
    const invoice = await anIssuedInvoice(instance, staff)
    const [{ id: item_id }] = invoice.items
    for (const body of [
      { reason: ' ' }, { items: [] }, { items: [{ item_id: invoice.id }] }, { items: [{ item_id, amount: '0.00' }] },
      { items: [{ item_id, quantity: 0 }] }, { items: [{ item_id }, { item_id }] }, { items: [{ item_id, amount: '-1' }] }
    ])
      expect((await credit(invoice.id, body)).status, JSON.stringify(body)).toBe(422)
    expect((await credit(invoice.id, { items: [{ item_id, quantity: 2 }] })).body.code).toBe('over_credit')
  })

  it('is refused of a draft, of a cancelled draft and of a credit note, and takes no payments', async () => {
    const draft = await anInvoice(instance)
    expect((await credit(draft)).body.code).toBe('wrong_state')
    await cancel(draft)
    expect((await credit(draft)).body.code).toBe('wrong_state')
    const note = await anIssuedNote((await anIssuedInvoice(instance, staff)).id)
    for (const answer of [await credit(note.id), await pay(note.id, '1.00'), await issue(note.id), await cancel(note.id)])
      expect([answer.status, answer.body.code]).toEqual([409, 'wrong_state'])
  })

  it('counts negative in lists, exports and reports, and its document has positive amounts', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    const first = await anIssuedInvoice(instance, admin, { clinic })
    const second = await anIssuedInvoice(instance, admin, { clinic, total: 24_200 })
    const [{ id: item_id }] = second.items
    const { body: { data: { id } } } = await credit(second.id, { items: [{ item_id, amount: '42.00' }] }, admin)
    const { body: { data: note } } = await issue(id, admin)
    const { body: { data: rows } } = await admin.get(`${INVOICES}?sort=-total`)
    expect(rows.map((row: any) => [row.kind, row.total])).toEqual([
      ['invoice', '242.00'], ['invoice', '121.00'], ['credit_note', '-42.00']
    ])
    expect((await admin.get(`${INVOICES}/${note.id}`)).body.data).toMatchObject({ total: '42.00', tax: note.tax })
    const exported: Record<string, string>[]
      = parse((await admin.get(`${INVOICES}/export.csv?sort=issued_at`)).bytes, { bom: true, columns: true })
    expect(exported.map(row => [row.total, row.tax, row.credited, row.credits])).toEqual([
      ['121.00', first.tax, '0.00', ''],
      ['242.00', second.tax, '42.00', ''],
      ['-42.00', `-${note.tax}`, '0.00', second.number]
    ])
    const { totals } = (await admin.get('/api/v1/reports/acceptance')).body.data
    expect(totals).toMatchObject({ invoices: 2, invoiced_amount: '321.00' })
  })

  it('has a PDF in each language that names the invoice and the reason', async () => {
    const invoice = await anIssuedInvoice(instance, staff)
    const note = await anIssuedNote(invoice.id)
    const pdf = async (locale: string) =>
      (await inspectPdf((await staff.get(`${INVOICES}/${note.id}/pdf?locale=${locale}`)).bytes)).text
        .replaceAll('\u00A0', ' ').replaceAll(/\s+/g, ' ')
    for (const [locale, title] of [
      ['es', 'Factura rectificativa'], ['de', 'Rechnungskorrektur'], ['fr', 'Avoir'], ['pt', 'Nota de crédito'],
      ['en', 'Credit note']
    ] as const) {
      const text = await pdf(locale)
      for (const part of [title, note.number, invoice.number, REASON]) expect(text).toContain(part)
    }
    const { text } = await inspectPdf((await staff.get(`${INVOICES}/${invoice.id}/pdf?locale=en`)).bytes)
    expect(text).toContain(note.number)
  })

  it('can be stored with its lines only by its own invoice, even by SQL', async () => {
    const { sql } = instance
    const invoice = await anIssuedInvoice(instance, staff)
    const note = await aCreditNote(invoice.id)
    const other = await anIssuedInvoice(instance, staff)
    const line = (credits: string, price: number) => sql`
      insert into billing_invoice_line (invoice_id, clinic_id, position, treatment_id, code, name, quantity, vat, price, tax, credits_line_id)
      values (${note.id}, ${instance.clinic.id}, 7, gen_random_uuid(), 'X', '{}', 0, 2100, ${price}, 0, ${credits})`
    await expect(line(invoice.items[0].id, 1)).rejects.toThrow('credited twice')
    await expect(line(other.items[0].id, 1)).rejects.toThrow('not of the invoice that is credited')
    await issue(note.id)
    for (const change of [
      sql`update billing_invoice set credited = 1 where id = ${other.id}`,
      sql`update billing_invoice set credit_reason = 'Another.' where id = ${note.id}`,
      sql`update billing_invoice set credits_id = ${other.id} where id = ${note.id}`,
      sql`update billing_invoice set status = 'cancelled' where id = ${other.id}`,
      sql`update billing_invoice set status = 'cancelled' where id = ${note.id}`,
      sql`delete from billing_invoice where id = ${note.id}`
    ])
      await expect(change).rejects.toMatchObject({ code: '23001' })
  })
})

describe('what was paid beyond the rest of a credited invoice', () => {
  it('becomes an advance with a receipt, and the invoice keeps what it still takes', async () => {
    const { invoice, id: budget_id } = await advanceCalls(instance, staff).accepted()
    await issue(invoice)
    await pay(invoice, '21.00', 'cash')
    await pay(invoice, '100.00', 'transfer')
    const { items: [{ id: item_id }] } = await read(invoice)
    await anIssuedNote(invoice, { items: [{ item_id, amount: '30.00' }] })
    const after = await read(invoice)
    expect(after).toMatchObject({ status: 'paid', credited: '30.00', paid: '91.00', due: '0.00' })
    expect(after.payments.map((row: any) => [row.amount, row.method, row.reversal?.reason ?? null])).toEqual([
      ['21.00', 'cash', null], ['100.00', 'transfer', REASON], ['70.00', 'transfer', null]
    ])
    const { body: { data: advances } } = await staff.get(`${ADVANCES}?budget_id=${budget_id}`)
    expect(advances).toMatchObject([{ amount: '30.00', balance: '30.00', method: 'transfer', status: 'open' }])
  })

  it('goes back into the advance that it came from', async () => {
    const calls = advanceCalls(instance, staff)
    const { invoice, id: budget_id } = await calls.accepted()
    const { id } = await calls.advance(budget_id, '121.00')
    await issue(invoice)
    const { items: [{ id: item_id }] } = await read(invoice)
    await anIssuedNote(invoice, { items: [{ item_id, amount: '21.00' }] })
    expect(await calls.read(id)).toMatchObject({ applied: '100.00', balance: '21.00' })
    expect(await read(invoice)).toMatchObject({ status: 'paid', paid: '100.00', due: '0.00' })
    await anIssuedNote(invoice)
    expect(await calls.read(id)).toMatchObject({ applied: '0.00', balance: '121.00' })
    expect(await read(invoice)).toMatchObject({ status: 'credited', paid: '0.00', due: '0.00' })
  })
})

describe('cancelling an issued invoice', () => {
  it('makes a whole credit note instead: the invoice keeps its number and contents', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    const invoice = await anIssuedInvoice(instance, admin, { clinic })
    const { status, body } = await admin.post(`${INVOICES}/${invoice.id}/cancel`, { reason: REASON })
    expect([status, body.detail]).toEqual([200, undefined])
    expect(body.data).toMatchObject({
      status: 'credited', number: invoice.number, total: '121.00', due: '0.00', cancelled_at: null,
      credit_notes: [{ number: expect.stringMatching(/^CN-\d{4}-\d{4}$/), status: 'issued', total: '121.00' }]
    })
    const note = await admin.get(`${INVOICES}/${body.data.credit_notes[0].id}`)
    expect(note.body.data).toMatchObject({ credit_reason: REASON, credits: { id: invoice.id } })
  })

  it('leaves invoices as they are that were cancelled by an earlier version', async () => {
    const { sql } = instance
    const { id } = await anIssuedInvoice(instance, staff)
    await sql`alter table billing_invoice disable trigger billing_invoice_keep`
    await sql`update billing_invoice set status = 'cancelled', cancelled_at = now(), cancel_reason = 'Old.' where id = ${id}`
    await sql`alter table billing_invoice enable trigger billing_invoice_keep`
    expect(await read(id)).toMatchObject({ status: 'cancelled', cancel_reason: 'Old.', credited: '0.00' })
    expect((await credit(id)).body.code).toBe('wrong_state')
    const row = (await csv(`${INVOICES}/export.csv?status=cancelled`)).find(({ status }) => status === 'cancelled')!
    expect(row.total).toBe('121.00')
  })
})

it('an issued credit note is kept as a file when the patient\'s data is erased, and drafts are cancelled', async () => {
  const { invoice } = await advanceCalls(instance, staff).accepted()
  await issue(invoice)
  const { items: [{ id: item_id }], patient } = await read(invoice)
  const note = await anIssuedNote(invoice, { items: [{ item_id, amount: '21.00' }] })
  const draft = await aCreditNote(invoice)
  const admin = await instance.as('admin')
  const { status, body } = await admin.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false })
  expect([status, body.detail]).toEqual([200, undefined])
  expect(body.data.held.map(({ object }: any) => object)).toContain(note.number)
  expect(await read(note.id)).toMatchObject({ status: 'issued', credit_reason: null, patient: { first_name: '' } })
  expect(await read(draft.id)).toMatchObject({ status: 'cancelled', credit_reason: null })
  expect((await inspectPdf((await staff.get(`${INVOICES}/${note.id}/pdf`)).bytes)).text).toContain(REASON)
  const answers = [await credit(invoice), await cancel(invoice)]
  expect(answers.map(answer => answer.body.code)).toEqual(['patient_erased', 'patient_erased'])
})

it('30 parallel issues, credits and cancels: numbers have no gaps in each range, and no line is credited twice', async () => {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  const target = await anIssuedInvoice(instance, admin, { clinic })
  const [{ id: item_id }] = target.items
  const others = await Promise.all(Array.from({ length: 10 }, () => anIssuedInvoice(instance, admin, { clinic })))
  const drafts = await Promise.all(Array.from({ length: 10 }, () => anInvoice(instance, { clinic })))
  const creditAndIssue = async () => {
    const { status, body } = await credit(target.id, { items: [{ item_id, amount: '30.00' }] }, admin)
    if (status !== 201) return body.code
    return (await issue(body.data.id, admin)).status
  }
  const outcomes = await Promise.all([
    ...drafts.map(async id => (await issue(id, admin)).status),
    ...others.map(async ({ id }) => (await admin.post(`${INVOICES}/${id}/cancel`, { reason: REASON })).status),
    ...Array.from({ length: 10 }, creditAndIssue)
  ])
  expect(outcomes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(outcomes.slice(20).filter(outcome => outcome === 200)).toHaveLength(4)
  expect(outcomes.slice(20).filter(outcome => outcome === 'over_credit')).toHaveLength(6)
  const rows = await instance.sql`
    select kind, number from billing_invoice where clinic_id = ${clinic.id} and number is not null order by number`
  const numbers = (kind: string) => rows.filter(row => row.kind === kind).map(row => Number(row.number.slice(-4)))
  expect(numbers('invoice')).toEqual(Array.from({ length: 21 }, (_, at) => at + 1))
  expect(numbers('credit_note')).toEqual(Array.from({ length: 14 }, (_, at) => at + 1))
  expect((await admin.get(`${INVOICES}/${target.id}`)).body.data).toMatchObject({ credited: '120.00', due: '1.00' })
})
