import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCase, anOrder, aRefund, PROVIDERS } from '../../../support/providers/contract.ts'
import { MOLLIE_KEY } from '../../../support/providers/mollie.ts'
import type { Answer } from '../../../support/providers/stand-in.ts'

let the: Awaited<ReturnType<typeof aCase>>
beforeAll(async () => { the = await aCase(PROVIDERS[1]) })
afterAll(() => the.standIn.close())

describe('Mollie’s calls', () => {
  test('go through the host, with the key and an idempotency key of the attempt', async () => {
    const order = anOrder()
    await the.create(order)
    const { headers, body } = the.standIn.seen.at(-1)!
    expect(headers).toMatchObject({
      'authorization': `Bearer ${MOLLIE_KEY}`,
      'idempotency-key': `checkout-${order.attempt_id}`,
      'accept-encoding': 'identity',
      'user-agent': 'dental-budget-service/1'
    })
    expect(JSON.parse(body)).toMatchObject({
      amount: { currency: 'EUR', value: '246.24' },
      webhookUrl: order.webhook_url,
      locale: 'es_ES',
      metadata: { attempt_id: order.attempt_id }
    })
    expect(the.host.lines.join('')).toContain('"event":"outgoing.call"')
  })

  test.each([['JPY', 821n, '821'], ['BHD', 12_345n, '12.345'], ['EUR', 5n, '0.05']])(
    'write %s %s as %s',
    async (currency, amount, value) => {
      await the.create(anOrder({ currency, amount }))
      expect(JSON.parse(the.standIn.seen.at(-1)!.body).amount).toEqual({ currency, value })
    }
  )
})

test('A refund that takes days is pending, and done when the same refund is asked for again', async () => {
  the.standIn.refunds('pending')
  const paid = await the.aPaid()
  const order = aRefund(paid)
  expect(await the.refund(order)).toMatchObject({ state: 'pending' })
  the.standIn.find(paid.order.attempt_id).refunds[0]!.state = 'done'
  expect(await the.refund(order)).toMatchObject({ state: 'done' })
  expect(the.standIn.find(paid.order.attempt_id).refunds).toHaveLength(1)
  the.standIn.refunds('done')
})

describe('What Mollie answers', () => {
  const answering = async (change: (payment: Record<string, unknown>) => object) => {
    const { order, checkout } = await the.aPaid()
    the.standIn.alters((answer: Answer) => ({ ...answer, body: JSON.stringify(change(JSON.parse(answer.body!))) }))
    try {
      return await the.ask(order, checkout)
    } finally {
      the.standIn.alters(answer => answer)
    }
  }

  test.each([
    ['open', 'pending'], ['pending', 'pending'], ['authorized', 'pending'], ['canceled', 'cancelled'],
    ['expired', 'cancelled'], ['failed', 'failed'], ['one of next year', 'pending']
  ])('as the state “%s” is %s', async (status, state) => {
    expect(await answering(payment => ({ ...payment, status }))).toMatchObject({ state, amount: null, paid_at: null })
  })

  test.each([['creditcard', 'card'], ['applepay', 'card'], ['banktransfer', 'transfer'], ['bizum', 'other'], [null, 'other']])(
    'as the method “%s” is %s',
    async (method, ours) => {
      expect(await answering(payment => ({ ...payment, method }))).toMatchObject({ method: ours })
    }
  )

  test.each([['10.5', 'EUR', 1050n], ['1000.00', 'JPY', 1000n], ['1.234', 'EUR', null], ['1.00', 'XXY', null]])(
    'as the amount %s %s is %s',
    async (value, currency, amount) => {
      expect(await answering(payment => ({ ...payment, amount: { value, currency } }))).toMatchObject({ state: 'paid', amount })
    }
  )

  test('without JSON can’t be used', async () => {
    const order = anOrder()
    the.standIn.alters(() => ({ status: 200, body: '<html>maintenance</html>' }))
    await expect(the.create(order)).rejects.toMatchObject({ code: 'provider_unreachable' })
    the.standIn.alters(answer => answer)
  })
})
