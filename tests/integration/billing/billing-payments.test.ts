import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { anIssuedInvoice, INVOICES } from '../../support/documents/invoices.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const pay = (id: string, body: Record<string, unknown>) =>
  staff.post(`${INVOICES}/${id}/payments`, { amount: '21.00', method: 'cash', ...body })
const detail = async (id: string) => (await staff.get(`${INVOICES}/${id}`)).body.data

describe('a payment', () => {
  it('is shown with the remaining amount, and makes the invoice paid when it reaches the total', async () => {
    const { id } = await anIssuedInvoice(instance, staff)
    const first = await pay(id, { paid_at: '2026-01-05T10:00:00+01:00', note: 'At the desk' })
    expect(first.status).toBe(201)
    expect(first.body.data).toMatchObject({ status: 'issued', paid: '21.00', due: '100.00' })
    const last = await pay(id, { amount: '100', method: 'transfer' })
    expect(last.body.data).toMatchObject({ status: 'paid', paid: '121.00', due: '0.00' })
    const { payments } = await detail(id)
    expect(payments.map((payment: any) => [payment.amount, payment.method, payment.note])).toEqual([
      ['21.00', 'cash', 'At the desk'],
      ['100.00', 'transfer', null]
    ])
    expect(payments[0]).toMatchObject({ paid_at: '2026-01-05T09:00:00.000Z', created_by: { name: expect.any(String) } })
  })

  it('above the amount due is 409 over_payment, with the amount due', async () => {
    const { id } = await anIssuedInvoice(instance, staff)
    await pay(id, {})
    const { status, body } = await pay(id, { amount: '100.01' })
    expect([status, body.code, body.due, body.detail]).toEqual([
      409,
      'over_payment',
      '100.00',
      'Only 100.00 EUR is due on this invoice. Record that amount at most.'
    ])
    expect(await detail(id)).toMatchObject({ status: 'issued', paid: '21.00' })
  })

  it.each([
    [{ amount: '0' }, '/amount'],
    [{ amount: '0.00' }, '/amount'],
    [{ amount: '1.001' }, '/amount'],
    [{ amount: '-1' }, '/amount'],
    [{ amount: 1 }, '/amount'],
    [{ amount: '1e3' }, '/amount'],
    [{ method: 'gold' }, '/method'],
    [{ paid_at: '2999-01-01T00:00:00Z' }, '/paid_at'],
    [{ paid_at: 'today' }, '/paid_at'],
    [{ note: 'a\u0007' }, '/note'],
    [{ payment_id: 'x' }, '/payment_id'],
    [{ currency: 'USD' }, '']
  ])('with %j is 422 and names the field', async (fields, pointer) => {
    const { id } = await anIssuedInvoice(instance, staff)
    const { status, body } = await pay(id, fields)
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(body.errors[0].pointer).toMatch(new RegExp(`^${pointer}`))
    expect((await detail(id)).payments).toEqual([])
  })

  it('has as many decimals as the currency', async () => {
    const { id } = await anIssuedInvoice(instance, staff, { currency: 'JPY', total: 12_000 })
    expect((await pay(id, { amount: '1.5' })).status).toBe(422)
    expect((await pay(id, { amount: '12000' })).body.data).toMatchObject({ status: 'paid', total: '12000', due: '0' })
  })
})

describe('several payments at once', () => {
  it('of a tenth each succeed ten times out of fifty and pay the invoice exactly; the rest is refused', async () => {
    const { id } = await anIssuedInvoice(instance, staff)
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(id, { amount: '12.10' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(
      new Set(answers.filter(({ status }) => status !== 201).map(({ status, body }) => `${status} ${body.code}`))
    ).toEqual(new Set(['409 wrong_state']))
    expect(await detail(id)).toMatchObject({ status: 'paid', paid: '121.00', due: '0.00' })
  })

  it('with one payment_id are recorded once, even if it was the last payment', async () => {
    const { id } = await anIssuedInvoice(instance, staff)
    const payment_id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(id, { amount: '121.00', payment_id })))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect((await detail(id)).payments).toMatchObject([{ id: payment_id, amount: '121.00' }])
  })

  it('with the payment_id of another payment are 409, in any invoice and clinic', async () => {
    const [one, two] = [await anIssuedInvoice(instance, staff), await anIssuedInvoice(instance, staff)]
    const payment_id = randomUUID()
    expect((await pay(one.id, { payment_id })).status).toBe(201)
    for (const [id, fields] of [[one.id, { amount: '5.00' }], [one.id, { method: 'card' }], [two.id, {}]] as const) {
      const { status, body } = await pay(id, { payment_id, ...fields })
      expect([status, body.code]).toEqual([409, 'payment_id_used'])
    }
    expect((await detail(two.id)).payments).toEqual([])
  })
})

describe('the database', () => {
  it('keeps payments unchanged, and refuses a payment above the total or in another status', async () => {
    const { sql } = instance
    const { id } = await anIssuedInvoice(instance, staff)
    await pay(id, {})
    const add = (invoice: string, amount: number) =>
      sql`insert into billing_payment (invoice_id, clinic_id, amount, method) values (${invoice}, ${instance.clinic.id}, ${amount}, 'cash')`
    await expect(sql`update billing_payment set amount = 1 where invoice_id = ${id}`).rejects.toThrow(
      'cannot be changed'
    )
    await expect(sql`delete from billing_payment where invoice_id = ${id}`).rejects.toThrow('cannot be changed')
    await expect(add(id, 10_001)).rejects.toThrow('more than its total')
    await pay(id, { amount: '100.00' })
    await expect(add(id, 1)).rejects.toThrow('only an issued invoice')
    await expect(sql`update billing_invoice set status = 'cancelled', cancelled_at = now() where id = ${id}`).rejects.toThrow('cannot go from paid to cancelled')
  })
})
