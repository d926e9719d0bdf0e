import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { displayAmount } from '@svc/kit/locale'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { aTreatment, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { advanceCalls, ADVANCES } from '../../support/documents/advances.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
/** By rate. */
let treatments: Record<string, string>
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  await loadDocuments()
  await instance.sql`update core_clinic set tax_number = 'B12345674' where id = ${instance.clinic.id}`
  const of = async (vat: string) => (await aTreatment(staff, { vat })).id
  treatments = { 0: await of('0'), 10: await of('10'), 21: await of('21') }
})
afterAll(() => instance.close())

const cents = (text: string) => Math.round(Number(text) * 100)
const text = (amount: number) => (amount / 100).toFixed(2)
const sum = <T>(rows: T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0)
const csv = async (path: string): Promise<Record<string, string>[]> =>
  parse((await staff.get(path)).bytes, { bom: true, columns: true })

const aLine = fc.record({
  vat: fc.constantFrom('0', '10', '21'),
  price: fc.integer({ min: 1, max: 40_000 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  discount: fc.option(fc.integer({ min: 1, max: 99 }), { nil: null })
})
const aBudget = fc.record({
  lines: fc.array(aLine, { minLength: 1, maxLength: 3 }),
  options: fc.option(fc.tuple(aLine, aLine), { nil: null }),
  discount: fc.option(fc.integer({ min: 1, max: 50 }), { nil: null })
})
const anAction = fc.record({
  what: fc.constantFrom('split', 'split', 'done', 'issue', 'issue', 'advance', 'pay', 'credit', 'cancel', 'return'),
  at: fc.nat(100),
  line: fc.nat(100),
  quantity: fc.integer({ min: 1, max: 3 }),
  amount: fc.integer({ min: 1, max: 30_000 })
})
type Line = typeof aLine extends fc.Arbitrary<infer T> ? T : never
type Budget = typeof aBudget extends fc.Arbitrary<infer T> ? T : never
type Action = typeof anAction extends fc.Arbitrary<infer T> ? T : never

const toItem = ({ vat, price, quantity, discount }: Line) => ({
  treatment_id: treatments[vat]!,
  unit_price: text(price),
  quantity,
  discount: discount && { type: 'percent', value: String(discount) }
})

/** An accepted budget, of which the patient chose the second option. */
async function accept({ lines, options, discount }: Budget): Promise<string> {
  const choices = options && [{
    title: 'Crown',
    rule: 'exactly_one',
    options: options.map((line, at) => ({ title: `Option ${at}`, items: [toItem(line)] }))
  }]
  const fields = {
    items: lines.map(toItem),
    ...choices && { choices },
    ...discount && { global_discount: { type: 'percent', value: String(discount) } }
  }
  const choose = ({ choices: [choice] }: any) => ({ [choice.id]: choice.options[1].id })
  return (await advanceCalls(instance, staff).accepted(fields, options ? choose : undefined)).id
}

/** Does it as far as it is possible now, and returns the cents that came in. */
async function act(budget_id: string, { what, at, line, quantity, amount }: Action): Promise<number> {
  const of = async (...states: string[]) => {
    const { invoices } = await invoicesOf(budget_id)
    const found = invoices.filter(({ status }) => states.includes(status))
    return found.length > 0 ? found[at % found.length] : undefined
  }
  const invoice = await of(...what === 'pay' ? ['issued'] : what === 'credit' ? ['issued', 'paid'] : ['draft'])
  const item = invoice?.items[line % invoice.items.length]
  const post = (action: string, body: object = {}) => staff.post(`${INVOICES}/${invoice.id}/${action}`, body)
  if (what === 'advance') {
    const { status } = await staff.post(ADVANCES, { budget_id, amount: text(amount), method: 'card' })
    return status === 201 ? amount : 0
  }
  if (what === 'return') return await returnSome(budget_id, amount)
  if (what === 'done') {
    const { items } = (await staff.get(`/api/v1/billing/budgets/${budget_id}`)).body.data
    const item_id = items[line % items.length].budget_item_id
    await staff.post(`${BUDGETS}/${budget_id}/done`, { items: [{ item_id, done_on: '2026-01-15' }] })
    await staff.post(`/api/v1/billing/budgets/${budget_id}/invoice-done`)
    return 0
  }
  if (!invoice) return 0
  if (what === 'pay') return (await post('payments', { amount: text(amount), method: 'cash' })).status === 201 ? amount : 0
  if (what === 'split') await post('split', { items: [{ item_id: item.id, quantity: Math.min(quantity, item.quantity) }] })
  if (what === 'issue') await post('issue')
  // Seldom, because nothing else happens to a cancelled draft.
  if (what === 'cancel' && at < 30) await post('cancel', { reason: 'Not wanted.' })
  if (what === 'credit') {
    const { status, body } = await post('credit', { reason: 'Goodwill.', items: [{ item_id: item.id, amount: text(amount) }] })
    if (status === 201 && at % 3 > 0) await staff.post(`${INVOICES}/${body.data.id}/issue`)
  }
  return 0
}

async function returnSome(budget_id: string, amount: number): Promise<number> {
  const { advances } = await invoicesOf(budget_id)
  const open = advances.find(({ balance }) => cents(balance) > 0)
  if (!open) return 0
  const returned = Math.min(amount, cents(open.balance))
  await staff.post(`${ADVANCES}/${open.id}/reverse`, { reason: 'Returned.', amount: text(returned) })
  return 0
}

/** All documents of a budget, with their lines. */
async function invoicesOf(budget_id: string): Promise<{ invoices: any[], notes: any[], advances: any[] }> {
  const { body } = await staff.get(`${INVOICES}?budget_id=${budget_id}&sort=created_at&page_size=100`)
  const documents = await Promise.all(body.data.map(async ({ id }: any) =>
    (await staff.get(`${INVOICES}/${id}`)).body.data)) as any[]
  const { body: { data: advances } } = await staff.get(`${ADVANCES}?budget_id=${budget_id}&page_size=100`)
  return {
    invoices: documents.filter(({ kind }) => kind === 'invoice'),
    notes: documents.filter(({ kind, status }) => kind === 'credit_note' && status === 'issued'),
    advances
  }
}

const byRate = (lines: { vat: string, price: string, tax: string }[]) =>
  Object.fromEntries(['0', '10', '21'].map((vat) => {
    const same = lines.filter(line => line.vat === vat)
    return [vat, [sum(same, ({ price }) => cents(price)), sum(same, ({ tax }) => cents(tax))]]
  }))

/** What the patient accepted is on exactly one line each, with the tax of its rate. */
async function checkLines(budget_id: string): Promise<void> {
  const { body: { data: budget } } = await staff.get(`${BUDGETS}/${budget_id}`)
  const chosen = (budget.choices ?? []).flatMap((choice: any) =>
    choice.options.filter(({ id }: any) => budget.selection[choice.id] === id).flatMap(({ items }: any) => items))
  const { invoices, notes } = await invoicesOf(budget_id)
  expect(byRate(invoices.flatMap(({ items }) => items))).toEqual(byRate([...budget.items, ...chosen]))
  for (const { items, total, tax, taxes, id } of [...invoices, ...notes]) {
    expect([cents(total), cents(tax)], id).toEqual([
      sum(items, ({ price }: any) => cents(price)), sum(items, ({ tax }: any) => cents(tax))
    ])
    expect(sum(taxes, ({ gross }: any) => cents(gross))).toBe(cents(total))
  }
  const billing = (await staff.get(`/api/v1/billing/budgets/${budget_id}`)).body.data
  const totalOf = (states: string[]) =>
    text(sum(invoices.filter(({ status }) => states.includes(status)), ({ total }) => cents(total)))
  expect(billing).toMatchObject({
    total: budget.totals.total,
    invoiced: totalOf(['issued', 'paid', 'credited']),
    open: totalOf(['draft']),
    cancelled: totalOf(['cancelled']),
    credited: text(sum(notes, ({ total }) => cents(total)))
  })
  for (const place of ['price', 'invoiced', 'open', 'cancelled'])
    expect(sum(billing.items, (item: any) => cents(item[place]))).toBe(cents(billing[place === 'price' ? 'total' : place]))
}

/** Each cent that came in pays one invoice, is in one advance's balance, or was returned. */
async function checkMoney(budget_id: string, received: number): Promise<void> {
  const { invoices, notes, advances } = await invoicesOf(budget_id)
  const payments = invoices.flatMap(({ payments }) => payments.filter(({ reversal }: any) => !reversal))
  const direct = payments.filter(({ advance }) => advance === null)
  const applied = payments.filter(({ advance }) => advance !== null)
  expect(sum(direct, ({ amount }) => cents(amount)) + sum(advances, ({ amount }) => cents(amount))).toBe(received)
  expect(sum(applied, ({ amount }) => cents(amount))).toBe(sum(advances, row => cents(row.applied)))
  for (const row of advances)
    expect(cents(row.applied) + cents(row.returned) + cents(row.balance)).toBe(cents(row.amount))
  for (const { id, status, total, credited, paid, due } of invoices) {
    const taken = sum(notes.filter(({ credits }) => credits.id === id), note => cents(note.total))
    expect([cents(credited), cents(due)]).toEqual([taken, cents(total) - taken - cents(paid)])
    expect(cents(due)).toBeGreaterThanOrEqual(0)
    if (status === 'issued') expect(cents(due)).toBeGreaterThan(0)
    if (status === 'paid') expect(cents(due)).toBe(0)
  }
}

/** Reports, exports and PDFs have the same amounts. */
async function checkBooks(budgets: string[]): Promise<void> {
  const all = await Promise.all(budgets.map(invoicesOf))
  const issued = all.flatMap(({ invoices }) => invoices.filter(({ number }) => number))
  const notes = all.flatMap(each => each.notes)
  const invoiced = sum(issued, ({ total }) => cents(total)) - sum(notes, ({ total }) => cents(total))
  const { totals } = (await staff.get('/api/v1/reports/acceptance')).body.data
  expect(totals).toMatchObject({ invoices: issued.length, invoiced_amount: text(invoiced) })

  const rows = (await csv(`${INVOICES}/export.csv`)).filter(({ number }) => number)
  for (const column of ['total', 'tax', 'paid', 'due', 'credited'])
    expect(sum(rows, row => cents(row[column]!)), column).toBe(
      sum(issued, row => cents(row[column])) - (['total', 'tax'].includes(column) ? sum(notes, row => cents(row[column])) : 0))
  const paid = (await csv('/api/v1/billing/payments/export.csv')).filter(({ reversed_at }) => !reversed_at)
  expect(sum(paid, ({ amount }) => cents(amount!))).toBe(sum(issued, row => cents(row.paid)))
  const advances = await csv(`${ADVANCES}/export.csv`)
  for (const column of ['amount', 'applied', 'balance', 'returned'])
    expect(sum(advances, row => cents(row[column]!))).toBe(
      sum(all.flatMap(each => each.advances), row => cents(row[column])))

  for (const { id, number, total } of [...issued, ...notes].slice(0, 6)) {
    const pdf = (await staff.get(`${INVOICES}/${id}/pdf?locale=en`)).bytes
    const shown = (await inspectPdf(pdf)).text.replaceAll(/\s+/g, ' ')
    expect(shown).toContain(number)
    expect(shown).toContain(displayAmount(total, 'EUR', 'en').replaceAll(/\s+/g, ' '))
  }
}

it('every cent and every cent of tax is in exactly one place, whatever is split, issued, credited and paid', async () => {
  const budgets: string[] = []
  const someActions = fc.array(anAction, { minLength: 6, maxLength: 14 })
  await fc.assert(fc.asyncProperty(aBudget, someActions, async (given, actions) => {
    const budget_id = await accept(given)
    budgets.push(budget_id)
    let received = 0
    for (const action of actions) received += await act(budget_id, action)
    await checkLines(budget_id)
    await checkMoney(budget_id, received)
  }), { numRuns: 6, endOnFailure: true })
  await checkBooks(budgets)
})
