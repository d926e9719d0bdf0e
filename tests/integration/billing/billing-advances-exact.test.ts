import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '@svc/kit'
import type { Billing } from '@svc/kit/modules/billing'
import { aSentBudget } from '../../support/builders.ts'
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

test('parallel issues and advances lose nothing, and receipts have no gap', async () => {
  const clinic = instance.clinic.id
  const last = async () =>
    Number((await instance.sql`select last from billing_receipt_number where clinic_id = ${clinic}`)[0]?.last ?? 0)
  const before = await last()
  const budgets = await Promise.all(Array.from({ length: 5 }, () => accepted()))
  const calls = budgets.flatMap(({ id, invoice }) => [
    record(id, '40.00'), issue(invoice), record(id, '50.00'), issue(invoice), record(id, '60.00')
  ])
  const answers = await Promise.all(calls)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(15)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  for (const { id } of budgets) {
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', paid_in_advance: '121.00', due: '0.00' })
    const { data } = (await staff.get(`${ADVANCES}?budget_id=${id}`)).body
    const sum = (name: string) => data.reduce((all: number, row: Record<string, string>) => all + Number(row[name]), 0)
    expect([sum('amount'), sum('applied'), sum('balance')]).toEqual([150, 121, 29])
  }
  const numbers = await instance.sql`select number from billing_advance where clinic_id = ${clinic} order by number`
  expect(numbers.map(({ number }) => number)).toEqual(
    Array.from({ length: before + 15 }, (_, at) => `REC-${YEAR}-${String(at + 1).padStart(4, '0')}`)
  )
})

describe('a module', () => {
  const billing = () => {
    const { ctx, definition } = instance.runtime.host.registry.get('billing')!
    return definition.exports!(ctx, { module: 'payments', grants: [] }) as Billing
  }
  const run = <T>(use: (tx: Tx) => Promise<T>) => instance.runtime.host.db.transaction(use)
  const input = (budget_id: string, amount: bigint) => ({
    clinic_id: instance.clinic.id,
    budget_id,
    amount,
    currency: 'EUR',
    method: 'card' as const,
    paid_at: new Date('2026-01-01T10:00:00Z'),
    reference: 'pi_1',
    advance_id: randomUUID()
  })

  test('can record an advance in its own transaction, once, and a rollback leaves no gap in the numbers', async () => {
    const advance = input((await aSentBudget(instance)).id, 1250n)
    const lost = run(async (tx) => {
      await billing().recordAdvance(tx, advance)
      throw new Error('the module fails')
    })
    await expect(lost).rejects.toThrow('the module fails')
    const recorded = await run(tx => billing().recordAdvance(tx, advance))
    expect(recorded).toMatchObject({ id: advance.advance_id, balance: 1250n, applied: 0n })
    expect(await run(tx => billing().recordAdvance(tx, advance))).toEqual(recorded)
    expect(await read(recorded.id)).toMatchObject({ amount: '12.50', reference: 'pi_1', created_by: null })
    const [gap] = await instance.sql`
      select max(right(number, 4)::int) - count(*)::int as n from billing_advance
      where clinic_id = ${instance.clinic.id}`
    expect(gap!.n).toBe(0)
  })

  test('can return, once, a part of an advance that an invoice has taken; that part is due again', async () => {
    const { id, invoice } = await accepted()
    const recorded = await run(tx => billing().recordAdvance(tx, input(id, 12_100n)))
    expect((await issue(invoice)).body.data.status).toBe('paid')
    const back = {
      clinic_id: instance.clinic.id, advance_id: recorded.id, amount: 2100n, reason: 'Refund.', reversal_id: randomUUID()
    }
    for (let n = 0; n < 2; n++)
      expect(await run(tx => billing().returnAdvance(tx, back))).toMatchObject({ applied: 10_000n, balance: 0n })
    expect(await invoiceOf(id)).toMatchObject({ status: 'issued', paid: '100.00', due: '21.00' })
    const more = { ...back, amount: 10_001n, reversal_id: randomUUID() }
    await expect(run(tx => billing().returnAdvance(tx, more))).rejects.toMatchObject({ code: 'over_advance' })
  })

  test('cannot return another amount or advance with a known reversal_id, even in capital letters', async () => {
    const { id } = await aSentBudget(instance)
    const recorded = await run(tx => billing().recordAdvance(tx, input(id, 5000n)))
    const other = await run(tx => billing().recordAdvance(tx, input(id, 5000n)))
    const back = {
      clinic_id: instance.clinic.id, advance_id: recorded.id, amount: 2000n, reason: 'Refund.', reversal_id: randomUUID()
    }
    const once = await run(tx => billing().returnAdvance(tx, back))
    expect(await run(tx => billing().returnAdvance(tx, { ...back, reversal_id: back.reversal_id.toUpperCase() })))
      .toEqual(once)
    for (const change of [{ amount: 3000n }, { amount: 1000n }, { advance_id: other.id }]) {
      const refused = run(tx => billing().returnAdvance(tx, { ...back, ...change }))
      await expect(refused).rejects.toMatchObject({ code: 'return_id_used' })
    }
    expect(await read(recorded.id)).toMatchObject({ balance: '30.00', reversals: [{ amount: '20.00' }] })
    expect(await read(other.id)).toMatchObject({ balance: '50.00', reversals: [] })
  })

  test('can return an advance that an invoice has taken: the budget\'s other open advances pay it', async () => {
    const { id, invoice } = await accepted()
    const first = await run(tx => billing().recordAdvance(tx, input(id, 12_100n)))
    expect((await issue(invoice)).body.data.status).toBe('paid')
    const second = await advance(id, '50.00')
    const back = { clinic_id: instance.clinic.id, advance_id: first.id, amount: 12_100n, reason: 'Refund.' }
    expect(await run(tx => billing().returnAdvance(tx, back))).toMatchObject({ applied: 0n, balance: 0n })
    expect(await read(second.id)).toMatchObject({ status: 'applied', applied: '50.00' })
    expect(await invoiceOf(id)).toMatchObject({ status: 'issued', paid_in_advance: '50.00', due: '71.00' })
  })

  test('can record an advance for an erased patient too, because the money was received', async () => {
    const { id } = await aSentBudget(instance)
    const { patient } = await advance(id, '1.00')
    expect((await staff.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false })).status).toBe(200)
    expect(await run(tx => billing().recordAdvance(tx, input(id, 100n)))).toMatchObject({ balance: 100n })
  })

  test('can record an advance for an issued invoice, which it pays after older open ones', async () => {
    const { id, invoice } = await accepted()
    const first = await advance(id, '50.00')
    const { payments: [payment] } = (await issue(invoice)).body.data
    await staff.post(`${INVOICES}/${invoice}/payments/${payment.id}/reverse`, { reason: 'Wrong.' })
    expect(await read(first.id)).toMatchObject({ status: 'open', balance: '50.00' })
    await advance(id, '100.00')
    expect(await read(first.id)).toMatchObject({ status: 'applied' })
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', paid_in_advance: '121.00' })
  })
})

describe('the database', () => {
  test('allows no change of an advance or a return, and no cent to be used twice', async () => {
    const { id: budget_id, invoice } = await accepted()
    const { id } = await advance(budget_id, '50.00')
    await returnAdvance(id, { reason: 'A part.', amount: '10.00' })
    await issue(invoice)
    const { sql } = instance
    const recorded = /cannot be changed or deleted/
    await expect(sql`update billing_advance set amount = 1 where id = ${id}`).rejects.toThrow(recorded)
    await expect(sql`update billing_advance set note = 'other' where id = ${id}`).rejects.toThrow(recorded)
    await expect(sql`delete from billing_advance where id = ${id}`).rejects.toThrow(recorded)
    await expect(sql`update billing_advance set balance = 5000 where id = ${id}`).rejects.toThrow(/follows from/)
    await expect(sql`delete from billing_advance_reversal where advance_id = ${id}`).rejects.toThrow(recorded)
    await expect(sql`update billing_payment set advance_id = null where advance_id = ${id}`).rejects.toThrow(recorded)
    const pay = (advance_id: string) => sql`
      insert into billing_payment (invoice_id, clinic_id, amount, method, advance_id)
      values (${invoice}, ${instance.clinic.id}, 100, 'card', ${advance_id})`
    await expect(pay(id)).rejects.toThrow(/billing_advance_money/)
    const other = await advance((await aSentBudget(instance)).id, '50.00')
    await expect(pay(other.id)).rejects.toThrow(/belongs to another budget/)
  })
})
