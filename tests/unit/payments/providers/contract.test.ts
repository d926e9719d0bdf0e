import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULTS } from '../../../../layers/payments/shared/settings.ts'
import { pressAt } from '../../../support/providers/browse.ts'
import { aCase, anOrder, aRefund, PROVIDERS } from '../../../support/providers/contract.ts'

describe.each(PROVIDERS)('$name', (differs) => {
  let the: Awaited<ReturnType<typeof aCase>>
  beforeAll(async () => { the = await aCase(differs) })
  afterAll(() => the.standIn.close())
  beforeEach(() => the.standIn.takes(amount => amount))

  describe('a checkout', () => {
    test('leads to the provider’s own page, and is pending until the patient decides', async () => {
      const order = anOrder()
      const checkout = await the.create(order)
      expect(checkout.redirect.url.startsWith(the.standIn.url)).toBe(true)
      expect(await the.ask(order, checkout)).toMatchObject({ state: 'pending', amount: null, currency: null, paid_at: null })
    })

    test('is paid with what the provider took, and the browser returns', async () => {
      const order = anOrder()
      const checkout = await the.create(order)
      expect(await pressAt(checkout.redirect, 'pay')).toBe(order.return_url)
      const status = await the.ask(order, checkout)
      expect(status).toMatchObject({ state: 'paid', amount: 24_624n, currency: 'EUR', method: 'card' })
      expect(status.payment_ref).toBeTruthy()
      expect(Math.abs(status.paid_at!.getTime() - Date.now())).toBeLessThan(120_000)
    })

    test('of which another amount was taken says so', async () => {
      the.standIn.takes(amount => amount - 1n)
      const { order, checkout } = await the.aPaid()
      expect(await the.ask(order, checkout)).toMatchObject({ state: 'paid', amount: 24_623n })
    })

    test('can be declined by the bank', async () => {
      const order = anOrder()
      const checkout = await the.create(order)
      await pressAt(checkout.redirect, 'decline')
      expect(await the.ask(order, checkout)).toMatchObject({ state: 'failed', amount: null, paid_at: null })
      expect(the.standIn.charges(order.attempt_id)).toBe(0)
    })

    test('can be cancelled, at once or when the page expires', async () => {
      const order = anOrder()
      const checkout = await the.create(order)
      await pressAt(checkout.redirect, 'cancel')
      expect(await the.ask(order, checkout)).toMatchObject({ state: differs.cancel, amount: null, paid_at: null })
      await the.standIn.decide(order.attempt_id, 'cancel')
      expect(await the.ask(order, checkout)).toMatchObject({ state: 'cancelled', amount: null, paid_at: null })
    })

    test('that is repeated is the same one, and is charged once', async () => {
      const order = anOrder()
      const [first, second] = [await the.create(order), await the.create(order)]
      expect(second).toEqual(first)
      await Promise.allSettled([pressAt(first.redirect, 'pay'), pressAt(second.redirect, 'pay')])
      expect(the.standIn.charges(order.attempt_id)).toBe(1)
    })

    test('of another attempt is another one', async () => {
      expect((await the.create(anOrder())).ref).not.toBe((await the.create(anOrder())).ref)
    })

    const amounts: [string, bigint][] = [['JPY', 82_080n], ['BHD', differs.bahrain], ['EUR', 1n]]

    test.each(amounts)('in %s is paid to the last minor unit', async (currency, amount) => {
      const { order, checkout } = await the.aPaid({ currency, amount })
      expect(await the.ask(order, checkout)).toMatchObject({ state: 'paid', amount, currency })
      expect(await the.refund(aRefund({ order, checkout }))).toMatchObject({ state: 'done' })
    })
  })

  describe('a webhook', () => {
    test('with the provider’s signature reports the attempt', async () => {
      const { order, checkout } = await the.aPaid()
      const report = await the.read(order.attempt_id)
      expect(report.ref).toBe(checkout.ref)
      if (differs.report === 'asks') return expect(report).toEqual({ attempt_id: null, ref: checkout.ref, status: null })
      expect(report.attempt_id).toBe(order.attempt_id)
      expect(report.status).toMatchObject({ state: 'paid', amount: 24_624n, currency: 'EUR' })
      expect(Math.abs(report.status!.paid_at!.getTime() - Date.now())).toBeLessThan(120_000)
    })

    test('reports the amount that was taken', async () => {
      the.standIn.takes(amount => amount + 100n)
      const { order, checkout } = await the.aPaid()
      const { status } = await the.read(order.attempt_id)
      expect((status ?? await the.ask(order, checkout)).amount).toBe(24_724n)
    })

    test.each(['forged', 'old'] as const)('that is %s reports no payment', async (forgery) => {
      const { order } = await the.aPaid()
      if (differs[forgery] === 'refused')
        return await expect(the.read(order.attempt_id, forgery)).rejects.toMatchObject({ code: 'signature_wrong' })
      expect((await the.read(order.attempt_id, forgery)).status).toBeNull()
    })

    test('of which one byte was changed reports no payment', async () => {
      const { order } = await the.aPaid()
      const { headers, body } = the.standIn.webhook(order.attempt_id)
      const changed = Buffer.from(body)
      const at = body.length - 5
      changed[at] = changed[at] === 0x30 ? 0x31 : 0x30
      const report = await the.provider.readWebhook(the.host.ctx, the.settings, { headers, bytes: changed })
        .catch((error: unknown) => error)
      expect(report).toMatchObject(differs.forged === 'refused' ? { code: 'signature_wrong' } : { status: null })
    })

    test.each(['', '{}', 'id=', 'id=../../v2/payments', 'Ds_MerchantParameters=e30=&Ds_Signature=x', '\u0000'])(
      'that is %j is refused',
      async (body) => {
        await expect(the.provider.readWebhook(the.host.ctx, the.settings, { headers: {}, bytes: Buffer.from(body) }))
          .rejects.toMatchObject({ code: 'signature_wrong' })
      }
    )

    test('is refused while no key is set', async () => {
      if (differs.name === 'mollie') return // Its webhook isn't signed.
      const { order } = await the.aPaid()
      const { headers, body } = the.standIn.webhook(order.attempt_id)
      const empty = { ...DEFAULTS, provider: the.settings.provider }
      await expect(the.provider.readWebhook(the.host.ctx, empty, { headers, bytes: Buffer.from(body) }))
        .rejects.toMatchObject({ code: 'signature_wrong' })
    })
  })

  describe('a refund', () => {
    test('returns the whole amount, or a part and then the rest', async () => {
      const whole = await the.aPaid()
      const answer = await the.refund(aRefund(whole))
      expect(answer).toMatchObject({ state: 'done', reason: null })
      expect(answer.refund_ref).toBeTruthy()
      const parts = await the.aPaid()
      expect(await the.refund(aRefund(parts, { amount: 10_000n }))).toMatchObject({ state: 'done' })
      expect(await the.refund(aRefund(parts, { amount: 14_624n, refunded_before: 10_000n }))).toMatchObject({ state: 'done' })
      expect(the.standIn.refunded(whole.order.attempt_id)).toEqual([24_624n])
      expect(the.standIn.refunded(parts.order.attempt_id)).toEqual([10_000n, 14_624n])
    })

    test('leaves the payment paid', async () => {
      const paid = await the.aPaid()
      await the.refund(aRefund(paid))
      expect(await the.ask(paid.order, paid.checkout)).toMatchObject({ state: 'paid', amount: 24_624n })
    })

    test('that is repeated returns the money once, and so do two equal parts twice', async () => {
      const paid = await the.aPaid()
      const first = aRefund(paid, { amount: 5000n })
      const second = aRefund(paid, { amount: 5000n, refunded_before: 5000n })
      const answer = await the.refund(first)
      expect(await the.refund(first)).toEqual(answer)
      await the.refund(second)
      expect(await the.refund(second)).toMatchObject({ state: 'done' })
      expect(the.standIn.refunded(paid.order.attempt_id)).toEqual([5000n, 5000n])
    })

    test('of more than is left is refused with a reason', async () => {
      const paid = await the.aPaid()
      await the.refund(aRefund(paid, { amount: 24_000n }))
      const answer = await the.refund(aRefund(paid, { amount: 625n, refunded_before: 24_000n }))
      expect(answer).toMatchObject({ state: 'refused', refund_ref: null })
      expect(answer.reason).toBeTruthy()
      expect(the.standIn.refunded(paid.order.attempt_id)).toEqual([24_000n])
    })

    test('of what was never paid is refused', async () => {
      const order = anOrder()
      const checkout = await the.create(order)
      expect(await the.refund(aRefund({ order, checkout }))).toMatchObject({ state: 'refused' })
    })
  })
})
