import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { anIssuedInvoice, INVOICES } from '../../support/documents/invoices.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const pay = (id: string, amount: string) => staff.post(`${INVOICES}/${id}/payments`, { amount, method: 'card' })
const reverse = (id: string, payment: string, reason = 'The card payment bounced.') =>
  staff.post(`${INVOICES}/${id}/payments/${payment}/reverse`, { reason })
const cancel = (id: string) => staff.post(`${INVOICES}/${id}/cancel`, { reason: 'A mistake.' })

/** An invoice of 121.00 with these payments; returns the payments' ids. */
async function aPaidInvoice(...amounts: string[]): Promise<{ id: string, payments: string[] }> {
  const { id } = await anIssuedInvoice(instance, staff)
  for (const amount of amounts) expect((await pay(id, amount)).status).toBe(201)
  const { payments } = (await staff.get(`${INVOICES}/${id}`)).body.data
  return { id, payments: payments.map((payment: { id: string }) => payment.id) }
}

describe('a payment that is reversed', () => {
  test('stays in the list with reason, time and person, and its amount is due again', async () => {
    const { id, payments } = await aPaidInvoice('21.00', '100.00')
    const { status, body } = await reverse(id, payments[1]!)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      status: 'issued',
      paid: '21.00',
      due: '100.00',
      payments: [
        { id: payments[0], reversal: null },
        {
          id: payments[1],
          amount: '100.00',
          reversal: {
            reason: 'The card payment bounced.',
            reversed_at: expect.stringMatching(/Z$/),
            reversed_by: { name: expect.stringMatching(/\w/) }
          }
        }
      ]
    })
    const row = (await staff.get(`${INVOICES}?search=${body.data.number}`)).body.data[0]
    expect(row).toMatchObject({ status: 'issued', paid: '21.00', due: '100.00' })
    const rows = await instance.sql`select amount from billing_payment where invoice_id = ${id} order by amount`
    expect(rows.map(({ amount }) => String(amount))).toEqual(['2100', '10000'])
  })

  test('can be paid again, up to the total and not above it', async () => {
    const { id, payments } = await aPaidInvoice('121.00')
    await reverse(id, payments[0]!)
    expect((await pay(id, '121.01')).body.code).toBe('over_payment')
    expect((await pay(id, '121.00')).body.data).toMatchObject({ status: 'paid', due: '0.00' })
  })

  test('no longer blocks a cancellation', async () => {
    const { id, payments } = await aPaidInvoice('121.00')
    expect((await cancel(id)).body.detail).toBe(
      'This invoice is paid, so it cannot be cancelled. Credit it, or reverse its payments first.'
    )
    await reverse(id, payments[0]!)
    expect((await cancel(id)).body.data).toMatchObject({ status: 'credited', paid: '0.00' })
  })

  test('is reversed once, even if many requests come', async () => {
    const { id, payments } = await aPaidInvoice('21.00')
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(id, payments[0]!)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)])
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('payment_reversed')
  })

  test('must belong to this invoice (404), needs a reason (422), and an invoice that is not cancelled (409)', async () => {
    const { id, payments } = await aPaidInvoice('21.00')
    const other = await aPaidInvoice('21.00')
    expect((await reverse(id, other.payments[0]!)).status).toBe(404)
    expect((await reverse(id, randomUUID())).status).toBe(404)
    expect((await reverse(id, 'x')).status).toBe(404)
    expect((await reverse(id, payments[0]!, ' ')).status).toBe(422)
    const dentist = await instance.as('dentist')
    const path = `${INVOICES}/${id}/payments/${payments[0]}/reverse`
    expect((await dentist.post(path, { reason: 'Mine.' })).body.code).toBe('permission_denied')
  })
})

describe('the database', () => {
  test('refuses to change or delete a reversal, or to reopen a paid invoice without one', async () => {
    const { id, payments } = await aPaidInvoice('21.00', '100.00')
    await expect(instance.sql`update billing_invoice set status = 'issued' where id = ${id}`).rejects.toThrow(
      /is paid in full/
    )
    await reverse(id, payments[0]!)
    const ofPayment = instance.sql`payment_id = ${payments[0]!}`
    await expect(instance.sql`update billing_payment_reversal set reason = 'other' where ${ofPayment}`).rejects.toThrow(
      /cannot be changed or deleted/
    )
    await expect(instance.sql`delete from billing_payment_reversal where ${ofPayment}`).rejects.toThrow(
      /cannot be changed or deleted/
    )
  })
})
