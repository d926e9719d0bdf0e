import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { advanceCalls, ADVANCES, YEAR } from '../../support/documents/advances.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

type Calls = ReturnType<typeof advanceCalls>

let instance: Instance
let staff: Caller
let record: Calls['record']
let invoiceOf: Calls['invoiceOf']
let returnAdvance: Calls['returnAdvance']
let issue: Calls['issue']
let read: Calls['read']
let accepted: Calls['accepted']
let advance: Calls['advance']
beforeAll(async () => {
  await loadDocuments()
  instance = await anInstance()
  staff = await instance.as('admin')
  ;({ record, invoiceOf, returnAdvance, issue, read, accepted, advance } = advanceCalls(instance, staff))
})
afterAll(() => instance.close())

const waiting = async () =>
  (await staff.get('/api/v1/budget/attention')).body.data.withdrawn_paid.budgets.map((row: { id: string }) => row.id)

describe('an advance', () => {
  test('is recorded for a budget that was sent, with the next receipt number', async () => {
    const budget = await aSentBudget(instance)
    const { status, body, headers } = await record(budget.id, '50.00', { reference: 'TR-1', note: 'Deposit.' })
    expect([status, headers.get('etag')]).toEqual([201, '"1"'])
    expect(body.data).toMatchObject({
      number: `REC-${YEAR}-0001`,
      status: 'open',
      budget: { id: budget.id, number: budget.number },
      currency: 'EUR',
      amount: '50.00',
      applied: '0.00',
      returned: '0.00',
      balance: '50.00',
      method: 'card',
      reference: 'TR-1',
      note: 'Deposit.',
      created_by: { name: expect.stringMatching(/\w/) },
      payments: [],
      reversals: []
    })
    expect(await read(body.data.id)).toEqual(body.data)
  })

  test('leaves a row in the audit log when it is recorded and when it is returned, without the amount', async () => {
    const { id } = await advance((await aSentBudget(instance)).id, '50.00')
    await returnAdvance(id)
    const { body } = await staff.get('/api/v1/audit?action=record_changed&page_size=2')
    expect(body.data).toMatchObject([
      { target: { kind: 'advance', id }, detail: { fields: ['returned'] } },
      { target: { kind: 'advance', id }, detail: { fields: ['amount'] } }
    ])
  })

  test('is recorded once with one advance_id, which no other advance can have', async () => {
    const budget = await aSentBudget(instance)
    const advance_id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => record(budget.id, '10.00', { advance_id })))
    expect(answers.map(({ status, body }) => [status, body.data.id])).toEqual(answers.map(() => [201, advance_id]))
    expect((await staff.get(`${ADVANCES}?budget_id=${budget.id}`)).body.total).toBe(1)
    expect((await record(budget.id, '11.00', { advance_id })).body.code).toBe('advance_id_used')
    const other = await aSentBudget(instance)
    expect((await record(other.id, '10.00', { advance_id })).body.code).toBe('advance_id_used')
  })

  test('needs an amount above zero in the budget\'s currency, a day that has come, and a budget that was sent', async () => {
    const { id } = await aSentBudget(instance)
    const pointer = async (fields: object) => (await record(id, '1.00', fields)).body.errors?.[0]?.pointer
    expect(await pointer({ amount: '0.00' })).toBe('/amount')
    expect(await pointer({ amount: '1.001' })).toBe('/amount')
    expect(await pointer({ paid_at: '2999-01-01T00:00:00Z' })).toBe('/paid_at')
    expect(await pointer({ budget_id: randomUUID() })).toBe('/budget_id')
    expect((await record((await aDraft(instance)).id, '1.00')).body.code).toBe('wrong_state')
    const dentist = await instance.as('dentist')
    expect((await dentist.post(ADVANCES, { budget_id: id, amount: '1.00', method: 'cash' })).status).toBe(403)
  })

  test('is not recorded after the patient\'s data was erased, but a repeated request finds the earlier advance', async () => {
    const { id } = await aSentBudget(instance)
    const advance_id = randomUUID()
    const { patient } = await advance(id, '50.00', { advance_id })
    expect((await staff.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false })).status).toBe(200)
    expect(await record(id, '1.00')).toMatchObject({
      status: 409,
      body: { code: 'patient_erased', detail: expect.stringContaining('no advance') }
    })
    expect((await record(id, '50.00', { advance_id })).status).toBe(201)
    expect((await staff.get(`${ADVANCES}?budget_id=${id}`)).body.total).toBe(1)
  })

  test('that is recorded during the erasure of the patient\'s data waits for it, and does not keep the name', async () => {
    const { id } = await aSentBudget(instance)
    const [{ patient_id }] = await instance.sql`select patient_id from budget where id = ${id}`
    const isWaiting = async (locktype: string) => (await instance.sql`
      select from pg_locks where not granted and locktype = ${locktype}
      and pid in (select pid from pg_stat_activity where datname = current_database())`).length > 0
    // The clinical module erases last: the names in budgets and receipts are already emptied, but not committed.
    const { erasing, recording } = await instance.sql.begin(async (sql) => {
      await sql`select from clinical_patient where id = ${patient_id} for update`
      const erasing = staff.post(`/api/v1/clinic/persons/${patient_id}/erase`, { dry_run: false })
      await eventually(() => isWaiting('transactionid'), 'the erasure')
      let answered = false
      const recording = record(id, '1.00').finally(() => { answered = true })
      await eventually(async () => answered || await isWaiting('advisory'), 'the advance')
      return { erasing, recording }
    })
    expect((await erasing).status).toBe(200)
    expect((await recording).body.code).toBe('patient_erased')
    expect(await instance.sql`select from billing_advance where patient_id = ${patient_id}`).toHaveLength(0)
  })

  test('is listed by budget, patient and state, newest first', async () => {
    const budget = await aSentBudget(instance)
    const older = await advance(budget.id, '1.00', { paid_at: '2026-01-02T10:00:00Z' })
    const newer = await advance(budget.id, '2.00', { paid_at: '2026-01-03T10:00:00Z' })
    const ids = async (query: string) =>
      (await staff.get(`${ADVANCES}?${query}`)).body.data.map((row: { id: string }) => row.id)
    expect(await ids(`budget_id=${budget.id}`)).toEqual([newer.id, older.id])
    expect(await ids(`patient_id=${newer.patient.id}&sort=number`)).toEqual([older.id, newer.id])
    await returnAdvance(newer.id)
    expect(await ids(`budget_id=${budget.id}&status=open&status=applied`)).toEqual([older.id])
    const { body } = await staff.get(`${ADVANCES}?budget_id=${budget.id}&status=returned&page_size=1`)
    expect([body.total, body.counts]).toEqual([1, { open: 1, applied: 0, returned: 1 }])
    expect(await ids(`budget_id=${randomUUID()}`)).toEqual([])
  })
})

describe('issuing an invoice', () => {
  test('applies the budget\'s open advances as payments, oldest first, up to the total; the rest stays open', async () => {
    const { id, invoice } = await accepted()
    const second = await advance(id, '100.00', { paid_at: '2026-02-01T10:00:00Z', method: 'transfer' })
    const first = await advance(id, '50.00', { paid_at: '2026-01-01T10:00:00Z' })
    const { body } = await issue(invoice)
    expect(body.data).toMatchObject({
      status: 'paid',
      paid: '121.00',
      paid_in_advance: '121.00',
      due: '0.00',
      payments: [
        { amount: '50.00', method: 'card', paid_at: first.paid_at, advance: { id: first.id, number: first.number } },
        { amount: '71.00', method: 'transfer', paid_at: second.paid_at, advance: { id: second.id } }
      ],
      advances: [
        { id: first.id, amount: '50.00', applied: '50.00', balance: '0.00' },
        { id: second.id, amount: '100.00', applied: '71.00', balance: '29.00' }
      ]
    })
    expect(await read(second.id)).toMatchObject({
      status: 'open',
      applied: '71.00',
      balance: '29.00',
      payments: [{ invoice: { id: invoice, number: body.data.number }, amount: '71.00', reversed_at: null }]
    })
    expect(await read(first.id)).toMatchObject({ status: 'applied' })
  })

  test('finds advances for an earlier version of the budget', async () => {
    const sent = await aSentBudget(instance)
    const { id: advance_id } = await advance(sent.id, '21.00')
    const { body: { data: revised } } = await staff.post(`${BUDGETS}/${sent.id}/revise`, {})
    const { status, body } = await staff.post(`${BUDGETS}/${revised.id}/send`, { channel: 'manual', code: '482913' })
    expect(status).toBe(200)
    const base = `/api/v1/public/budgets/${body.data.url.split('/').at(-1)}`
    await (await aVerifiedPatient(instance, { ...sent, base })).post(`${base}/accept`, ACCEPTANCE)
    const invoice = await eventually(() => invoiceOf(revised.id), 'the draft invoice')
    expect((await staff.get(`${ADVANCES}?budget_id=${revised.id}`)).body.data).toMatchObject([{ id: advance_id }])
    expect((await issue(invoice.id)).body.data).toMatchObject({ status: 'issued', paid: '21.00', due: '100.00' })
  })

  test('lets a later advance pay what is due, and keep the rest', async () => {
    const { id, invoice } = await accepted()
    await issue(invoice)
    expect(await advance(id, '100.00')).toMatchObject({ status: 'applied', balance: '0.00' })
    expect(await advance(id, '100.00')).toMatchObject({ status: 'open', applied: '21.00', balance: '79.00' })
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', paid_in_advance: '121.00' })
  })
})

describe('returning an advance', () => {
  test('is possible in parts, up to the balance, with a reason; the recorded advance does not change', async () => {
    const { id } = await advance((await aSentBudget(instance)).id, '50.00')
    expect((await returnAdvance(id, {})).status).toBe(422)
    expect((await returnAdvance(id, { reason: 'No', amount: '50.01' })).body).toMatchObject({
      code: 'over_advance',
      balance: '50.00'
    })
    expect((await returnAdvance(id, { reason: 'A part.', amount: '20.00' })).body.data).toMatchObject({
      status: 'open',
      amount: '50.00',
      balance: '30.00',
      reversals: [{ amount: '20.00', reason: 'A part.', reversed_by: { name: expect.stringMatching(/\w/) } }]
    })
    const stale = await staff.post(`${ADVANCES}/${id}/reverse`, { reason: 'No' }, { headers: { 'if-match': '"1"' } })
    expect(stale.status).toBe(412)
    expect((await returnAdvance(id)).body.data).toMatchObject({ status: 'returned', returned: '50.00', balance: '0.00' })
    expect((await returnAdvance(id)).body.code).toBe('advance_reversed')
  })

  test('is recorded once with one reversal_id, which no other return can have', async () => {
    const { id } = await advance((await aSentBudget(instance)).id, '50.00')
    const back = { reason: 'A part.', amount: '20.00', reversal_id: randomUUID() }
    const sent = () => staff.post(`${ADVANCES}/${id}/reverse`, back, { headers: { 'if-match': '"1"' } })
    const answers = await Promise.all([sent(), sent(), sent()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await read(id)).toMatchObject({ balance: '30.00', reversals: [{ id: back.reversal_id, amount: '20.00' }] })
    expect((await read(id)).reversals).toHaveLength(1)
    expect(await returnAdvance(id, { ...back, amount: '10.00' })).toMatchObject({ status: 409, body: { code: 'return_id_used' } })
    const other = await advance((await aSentBudget(instance)).id, '50.00')
    expect((await returnAdvance(other.id, back)).body.code).toBe('return_id_used')
    expect(await read(other.id)).toMatchObject({ balance: '50.00', reversals: [] })
    const rest = { reason: 'The rest.', reversal_id: randomUUID() }
    for (let n = 0; n < 2; n++) expect((await returnAdvance(id, rest)).body.data).toMatchObject({ balance: '0.00' })
  })

  test('is refused if an invoice has taken it, until that payment is reversed', async () => {
    const { id: budget_id, invoice } = await accepted()
    const { id } = await advance(budget_id, '121.00')
    const { number, payments } = (await issue(invoice)).body.data
    expect((await returnAdvance(id)).body).toMatchObject({ code: 'advance_applied', invoices: [number] })
    const reversed = await staff.post(`${INVOICES}/${invoice}/payments/${payments[0].id}/reverse`, { reason: 'Wrong.' })
    expect(reversed.body.data).toMatchObject({ status: 'issued', due: '121.00', paid_in_advance: '0.00' })
    expect(await read(id)).toMatchObject({ balance: '121.00', payments: [{ reversed_at: expect.any(String) }] })
    expect((await returnAdvance(id)).status).toBe(200)
  })
})

test('exports list advances separately and payments with their receipts, and each receipt has a PDF', async () => {
  const { id, invoice } = await accepted()
  const { id: advance_id, number, patient } = await advance(id, '50.00', { note: 'Deposit.' })
  await issue(invoice)
  const csv = async (path: string) => (await staff.get(path)).bytes.toString()
  expect(await csv(`${ADVANCES}/export.csv?budget_id=${id}`)).toMatch(
    new RegExp(`${number},applied,.*,50\\.00,50\\.00,0\\.00,0\\.00,card,,Deposit\\.,`)
  )
  expect(await csv(`/api/v1/billing/payments/export.csv?budget_id=${id}`)).toMatch(new RegExp(`,${number}\\r\\n$`))
  expect(await csv(`${INVOICES}/export.csv?budget_id=${id}`)).toMatch(/paid_in_advance,.*\r\n.*,50\.00,.*\r\n$/)
  const { status, headers, bytes } = await staff.get(`${ADVANCES}/${advance_id}/pdf?locale=ar`)
  expect([status, headers.get('content-disposition'), bytes.subarray(0, 5).toString()]).toEqual([
    200, `inline; filename="${number}.pdf"`, '%PDF-'
  ])
  const { bytes: zip } = await staff.get(`/api/v1/clinic/persons/${patient.id}/export`)
  expect(Object.keys(unzipSync(zip)).some(name => name.endsWith(`${number}.pdf`))).toBe(true)
})

describe('an advance of a withdrawn budget', () => {
  const withdraw = (id: string) =>
    staff.post(`${BUDGETS}/${id}/withdraw`, { requested_by: 'patient', reason: 'Moves away.' })

  test('needs attention until it is returned', async () => {
    const { id } = await accepted()
    const { id: advance_id } = await advance(id, '50.00')
    expect(await waiting()).not.toContain(id)
    expect((await withdraw(id)).status).toBe(200)
    await eventually(async () => (await waiting()).includes(id), 'attention')
    await returnAdvance(advance_id, { reason: 'A part.', amount: '10.00' })
    expect(await waiting()).toContain(id)
    await returnAdvance(advance_id)
    expect(await waiting()).not.toContain(id)
  })

  test('can still be recorded after the withdrawal, and needs attention at once', async () => {
    const { id } = await accepted()
    await withdraw(id)
    await advance(id, '50.00')
    expect(await waiting()).toContain(id)
  })

  test('needs attention if the budget was cancelled, until a new version replaces it', async () => {
    const { id } = await aSentBudget(instance)
    await advance(id, '50.00')
    await staff.post(`${BUDGETS}/${id}/cancel`, {})
    await eventually(async () => (await waiting()).includes(id), 'attention')
    const { body } = await staff.post(`${BUDGETS}/${id}/revise`, {})
    await staff.post(`${BUDGETS}/${body.data.id}/send`, { channel: 'manual', code: '482913' })
    expect(await waiting()).not.toContain(id)
  })

  test('needs no attention if a draft of the next version was cancelled: the sent version is still open', async () => {
    const { id } = await aSentBudget(instance)
    await advance(id, '50.00')
    const { body } = await staff.post(`${BUDGETS}/${id}/revise`, {})
    expect((await staff.post(`${BUDGETS}/${body.data.id}/cancel`, {})).status).toBe(200)
    // Recording reads all versions in its own transaction.
    await advance(id, '10.00')
    const waits = await waiting()
    expect([waits.includes(id), waits.includes(body.data.id)]).toEqual([false, false])
  })
})
