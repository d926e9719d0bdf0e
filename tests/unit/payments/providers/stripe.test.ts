import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromStripe, toStripe } from '../../../../layers/payments/server/providers/stripe/amounts.ts'
import { aCase, anOrder, aRefund, PROVIDERS } from '../../../support/providers/contract.ts'
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../../../support/providers/stripe.ts'

let the: Awaited<ReturnType<typeof aCase>>
beforeAll(async () => { the = await aCase(PROVIDERS[0]) })
afterAll(() => the.standIn.close())

test.each<[string, bigint, number | null]>([
  ['EUR', 24_624n, 24_624],
  ['JPY', 821n, 821],
  ['BHD', 12_340n, 12_340],
  ['BHD', 12_345n, null], // the last of three digits is 0
  ['ISK', 1000n, 100_000], // without minor units, but counted with two digits
  ['UGX', 1000n, 100_000],
  ['MGA', 100_000n, 1000], // five iraimbilanja make an ariary: Stripe counts ariary alone
  ['MGA', 100_050n, null],
  ['EUR', 2n ** 60n, null]
])('Stripe counts %s %s as %s', (currency, ours, theirs) => {
  expect(toStripe(ours, currency)).toBe(theirs)
  if (theirs !== null) expect(fromStripe(theirs, currency)).toBe(ours)
})

test.each([['XXY', 100], ['', 100], ['ISK', 150]])('An amount in %s that can’t be, %i, is unknown', (currency, amount) => {
  expect(fromStripe(amount, currency)).toBeNull()
})

test('A refund of an amount that Stripe can’t count is refused, and nothing is sent', async () => {
  const paid = await the.aPaid({ currency: 'BHD', amount: 12_340n })
  expect(await the.refund(aRefund(paid, { amount: 12_341n }))).toMatchObject({
    state: 'refused', reason: 'Stripe can’t refund this amount in BHD.'
  })
  expect(the.standIn.refunded(paid.order.attempt_id)).toEqual([])
})

describe('Stripe’s calls', () => {
  test('have the key, an idempotency key of the attempt, and no client’s secrets in the log', async () => {
    const order = anOrder({ locale: 'pt-PT' })
    await the.create(order)
    const { headers, body } = the.standIn.seen.at(-1)!
    expect(headers).toMatchObject({ 'authorization': `Bearer ${STRIPE_KEY}`, 'idempotency-key': `checkout-${order.attempt_id}` })
    const form = new URLSearchParams(body)
    expect(form.get('client_reference_id')).toBe(order.attempt_id)
    expect(form.get('payment_intent_data[metadata][attempt_id]')).toBe(order.attempt_id)
    expect(form.get('locale')).toBe('pt')
  })

  test('ask for a page in the browser’s language if Stripe has none in the patient’s', async () => {
    await the.create(anOrder({ locale: 'ar' }))
    expect(new URLSearchParams(the.standIn.seen.at(-1)!.body).get('locale')).toBe('auto')
  })

  test('are not made for an amount that Stripe can’t take', async () => {
    const before = the.standIn.seen.length
    await expect(the.create(anOrder({ currency: 'BHD', amount: 12_345n }))).rejects.toMatchObject({ code: 'provider_refused' })
    expect(the.standIn.seen.length).toBe(before)
  })

  test('refuse an attempt that is repeated with another amount', async () => {
    const order = anOrder()
    await the.create(order)
    await expect(the.create({ ...order, amount: 1n })).rejects.toMatchObject({ code: 'provider_refused' })
  })
})

test('A refund that takes days is pending, and done when the same refund is asked for again', async () => {
  the.standIn.refunds('pending')
  const paid = await the.aPaid()
  const order = aRefund(paid)
  expect(await the.refund(order)).toMatchObject({ state: 'pending' })
  the.standIn.find(paid.order.attempt_id).refunds[0]!.state = 'done'
  expect(await the.refund(order)).toMatchObject({ state: 'done' })
  the.standIn.find(paid.order.attempt_id).refunds[0]!.state = 'failed'
  expect(await the.refund(order)).toMatchObject({ state: 'refused' })
  expect(the.standIn.find(paid.order.attempt_id).refunds).toHaveLength(1)
  the.standIn.refunds('done')
})

const ATTEMPT = '0197a1b2-0000-7000-8000-000000000001'

describe('Stripe’s events', () => {
  const read = (event: object, { at = 0, secret = STRIPE_WEBHOOK_SECRET } = {}) => {
    const body = JSON.stringify(event)
    const t = Math.floor(Date.now() / 1000) + at
    const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
    return the.provider.readWebhook(the.host.ctx, the.settings, {
      headers: { 'stripe-signature': `t=${t},v1=${v1}` },
      bytes: Buffer.from(body)
    })
  }
  const anEvent = (type: string, object: object) => ({ id: 'evt_1', object: 'event', type, created: 1_764_288_000, data: { object } })
  const nothing = { attempt_id: null, ref: null, status: null }

  test('about anything else are accepted, and report nothing', async () => {
    expect(await read(anEvent('customer.created', { id: 'cus_1' }))).toEqual(nothing)
    expect(await read(anEvent('charge.refunded', { id: 'ch_1' }))).toEqual(nothing)
  })

  test.each([[-299, true], [-302, false], [299, true], [302, false]])('signed %i seconds from now are accepted: %s', async (at, is) => {
    const report = read(anEvent('customer.created', {}), { at })
    await (is ? expect(report).resolves.toEqual(nothing) : expect(report).rejects.toMatchObject({ code: 'signature_wrong' }))
  })

  test('of a payment that failed days later make us ask', async () => {
    const session = { id: 'cs_1', client_reference_id: ATTEMPT }
    expect(await read(anEvent('checkout.session.async_payment_failed', session)))
      .toEqual({ attempt_id: ATTEMPT, ref: 'cs_1', status: null })
  })

  test('of a session that another program made in this account name no attempt', async () => {
    const session = { id: 'cs_1', client_reference_id: 'order-17' }
    expect(await read(anEvent('checkout.session.async_payment_failed', session)))
      .toEqual({ attempt_id: null, ref: 'cs_1', status: null })
  })

  test('of a payment that takes days say that it is pending', async () => {
    const session = {
      id: 'cs_1',
      client_reference_id: ATTEMPT,
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: 'pi_1',
      payment_method_types: ['sepa_debit']
    }
    const { status } = await read(anEvent('checkout.session.completed', session))
    expect(status).toMatchObject({ state: 'pending', amount: null, method: 'transfer', payment_ref: 'pi_1' })
  })
})
