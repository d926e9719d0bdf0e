import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pressAt } from '../../../support/providers/browse.ts'
import { aCase, anOrder, aRefund, PROVIDERS } from '../../../support/providers/contract.ts'
import { CARD, type Trouble } from '../../../support/providers/stand-in.ts'

describe.each(PROVIDERS)('$name', (differs) => {
  let the: Awaited<ReturnType<typeof aCase>>
  beforeAll(async () => { the = await aCase(differs) })
  afterAll(() => the.standIn.close())

  describe('a provider that doesn’t answer', () => {
    const troubles = ['fail', 'hang', 'drop', 'hang_after'] as const
    afterEach(() => the.host.stopWaitingAt(null))

    /** The next call that matches is in trouble. */
    function makeTrouble(trouble: Trouble, calls: RegExp): void {
      the.standIn.trouble(trouble, calls)
      the.host.stopWaitingAt(trouble.startsWith('hang') ? calls : null)
    }
    const isUnreachable = async (call: Promise<unknown>) => {
      await expect(call).rejects.toMatchObject({ code: 'provider_unreachable' })
      the.host.stopWaitingAt(null)
    }

    test.each(troubles)('(%s) is unreachable, and a repeated checkout is charged once', async (trouble) => {
      if (differs.creates === null) return // Nothing is called.
      const order = anOrder()
      makeTrouble(trouble, differs.creates)
      await isUnreachable(the.create(order))
      await pressAt((await the.create(order)).redirect, 'pay')
      expect(the.standIn.charges(order.attempt_id)).toBe(1)
    })

    test.each(troubles)('(%s) is unreachable, and a repeated refund returns the money once', async (trouble) => {
      const paid = await the.aPaid()
      const order = aRefund(paid, { amount: 100n })
      makeTrouble(trouble, differs.refunds)
      await isUnreachable(the.refund(order))
      expect(await the.refund(order)).toMatchObject({ state: 'done' })
      expect(the.standIn.refunded(paid.order.attempt_id)).toEqual([100n])
    })

    test.each(['fail', 'hang', 'drop'] as const)('(%s) is unreachable when it is asked', async (trouble) => {
      const { order, checkout } = await the.aPaid()
      makeTrouble(trouble, differs.asks)
      await isUnreachable(the.ask(order, checkout))
      expect(await the.ask(order, checkout)).toMatchObject({ state: 'paid' })
    })
  })

  describe('“Test the connection”', () => {
    test('says that it works, and in which mode', async () => {
      expect(await the.check()).toEqual({ ok: true, live: false })
    })

    test('says that a key is missing, or wrong, or of the other mode', async () => {
      expect(await the.check(differs.without)).toEqual({ ok: false, code: 'no_key', detail: null })
      expect(the.provider.missing({ ...the.settings, ...differs.without })).toEqual(Object.keys(differs.without))
      expect(the.provider.missing(the.settings)).toEqual([])
      expect(await the.check(differs.wrong)).toMatchObject({ ok: false, code: 'wrong_key' })
      expect(await the.check(differs.liveKey)).toMatchObject({ ok: false, code: 'wrong_key' })
    })

    test('says that the provider is unreachable', async () => {
      expect(await the.check({ [differs.host]: 'http://127.0.0.1:9' })).toMatchObject({ ok: false, code: 'unreachable' })
      the.standIn.trouble('fail')
      expect(await the.check()).toMatchObject({ ok: false, code: 'unreachable' })
    })
  })

  test('A call with a wrong key is refused, and can be repeated with the right one', async () => {
    const paid = await the.aPaid()
    await expect(the.ask(paid.order, paid.checkout, differs.wrong)).rejects.toMatchObject({ code: 'provider_refused' })
    const order = aRefund(paid)
    await expect(the.refund(order, differs.wrong)).rejects.toMatchObject({ code: 'provider_refused' })
    expect(await the.refund(order)).toMatchObject({ state: 'done' })
  })

  test('No key and no card number is in a log line, a problem or an answer', async () => {
    const paid = await the.aPaid()
    const outcomes = await Promise.all([
      the.create(anOrder(), differs.wrong),
      the.ask(paid.order, paid.checkout, differs.wrong),
      the.refund(aRefund(paid), differs.wrong),
      the.refund(aRefund(paid, { amount: 999_999n })),
      the.check(differs.wrong)
    ].map(promise => promise.catch((error: unknown) => describeFailure(error))))
    const all = toText([outcomes, the.host.lines])
    for (const secret of [...differs.secrets, CARD, `${CARD.slice(0, 6)}*`]) expect(all).not.toContain(secret)
  })
})

/** Everything of an error that could reach a log or an answer. */
function describeFailure(error: unknown) {
  const { message, stack, cause, ...fields } = error as Error
  return { message, stack, cause: String(cause), ...fields }
}

const toText = (value: unknown) => JSON.stringify(value, (_, part: unknown) => typeof part === 'bigint' ? String(part) : part)
