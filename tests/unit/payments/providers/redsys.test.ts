import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderOf } from '../../../../layers/payments/server/providers/redsys/merchant.ts'
import { messageOf, sign } from '../../../../layers/payments/server/providers/redsys/query.ts'
import {
  fromRedsys,
  readFields,
  readOperations,
  readTime,
  toRedsys
} from '../../../../layers/payments/server/providers/redsys/status.ts'
import { aCase, anOrder, aRefund, PROVIDERS } from '../../../support/providers/contract.ts'
import { REDSYS_KEY } from '../../../support/providers/redsys.ts'
import type { Answer } from '../../../support/providers/stand-in.ts'

let the: Awaited<ReturnType<typeof aCase>>
beforeAll(async () => { the = await aCase(PROVIDERS[2]) })
afterAll(() => the.standIn.close())

test('The order number is made of the attempt, has 12 characters, and begins with four digits', () => {
  expect(orderOf('0197a1b2-0000-7000-8000-000000000001')).toBe(orderOf('0197a1b2-0000-7000-8000-000000000001'))
  const orders = Array.from({ length: 20_000 }, () => orderOf(randomUUID()))
  expect(orders.filter(order => !/^\d{4}[0-9A-Z]{8}$/i.test(order))).toEqual([])
  expect(new Set(orders).size).toBe(orders.length)
})

test('A query is signed as Redsys’ test environment demands', () => {
  const message = messageOf({ code: '999008881', terminal: '001' }, { order: '260723890989', type: '0' })
  expect(sign(REDSYS_KEY, '260723890989', message)).toBe('q7LbX1P32WQSisGT+A8ZV+fMeVJo6kR0OjYUBCxPkUI=')
})

test.each<[string, bigint, string, string]>([
  ['EUR', 24_624n, '978', '24624'],
  ['JPY', 821n, '392', '821'],
  ['BHD', 12_345n, '48', '12345']
])('Redsys counts %s %s in the currency %s as %s', (currency, ours, num, amount) => {
  expect(toRedsys(ours, currency)).toEqual({ num, amount })
  expect(fromRedsys({ Ds_Amount: amount, Ds_Currency: num.padStart(3, '0') })).toEqual({ amount: ours, currency })
})

test.each([{}, { Ds_Amount: '1' }, { Ds_Amount: '1', Ds_Currency: '000' }, { Ds_Amount: '-1', Ds_Currency: '978' }])(
  'An amount that can’t be read (%j) is unknown',
  fields => expect(fromRedsys(fields)).toBeNull()
)

test.each([
  ['27/11/2026', '23:05', '2026-11-27T22:05:00.000Z'],
  ['2026-07-01', '23:05:41', '2026-07-01T21:05:00.000Z'],
  ['', '23:05', undefined],
  ['27/11/2026', 'noon', undefined]
])('%s %s in Spain is %s', (Ds_Date, Ds_Hour, instant) => {
  expect(readTime({ Ds_Date, Ds_Hour })?.toISOString()).toBe(instant)
})

describe('What Redsys answers', () => {
  const line = (fields: object = {}) =>
    ({ Ds_State: 'F', Ds_Response: '0000', Ds_Amount: '100', Ds_Currency: '978', Ds_AuthorisationCode: '501602', ...fields })

  test.each([
    ['0000', 'paid'], ['0099', 'paid'], ['0100', 'failed'], ['0190', 'failed'], ['0900', 'failed'], ['0400', 'failed'],
    ['9915', 'cancelled'], ['9998', 'pending'], ['9999', 'pending'], ['', 'pending'], ['x', 'pending']
  ])('with the code “%s” is %s', (Ds_Response, state) => {
    expect(readFields(line({ Ds_Response }))).toMatchObject({ state })
  })

  test('of an operation that isn’t at its end is pending', () => {
    expect(readFields(line({ Ds_State: 'P' }))).toMatchObject({ state: 'pending', amount: null })
  })

  test('of a payment that worked at the second try is paid', () => {
    expect(readOperations([line({ Ds_Response: '0190' }), line()])).toMatchObject({ state: 'paid', amount: 100n })
    expect(readOperations([line({ Ds_Response: '0190' }), line({ Ds_State: 'P' })])).toMatchObject({ state: 'pending' })
    expect(readOperations([])).toMatchObject({ state: 'pending' })
  })

  test('of Bizum isn’t a card', () => {
    expect(readFields(line({ Ds_ProcessedPayMethod: '68' }))).toMatchObject({ method: 'other' })
    expect(readFields(line({ Ds_Bizum_MobileNumber: '+34*****0000' }))).toMatchObject({ method: 'other' })
    expect(readFields(line())).toMatchObject({ method: 'card' })
  })

  const altered = async (change: (body: string) => string) => {
    const { order, checkout } = await the.aPaid()
    the.standIn.alters((answer: Answer) => ({ ...answer, body: change(answer.body!) }))
    try {
      return await the.ask(order, checkout)
    } finally {
      the.standIn.alters(answer => answer)
    }
  }

  test('with a wrong signature can’t be used', async () => {
    await expect(altered(body => body.replace('&lt;Ds_Amount&gt;24624', '&lt;Ds_Amount&gt;1')))
      .rejects.toMatchObject({ code: 'provider_unreachable' })
  })

  test('without a signature is proven by TLS alone', async () => {
    expect(await altered(body => body.replace(/&lt;Signature.*Signature&gt;/, ''))).toMatchObject({ state: 'paid', amount: 24_624n })
  })

  test('about another order says nothing of ours', async () => {
    const order = '&lt;Ds_Order&gt;'
    const unsigned = (body: string) => body.replace(/&lt;Signature.*Signature&gt;/, '')
    expect(await altered(body => unsigned(body).replace(new RegExp(`${order}\\w+`), `${order}0000other`)))
      .toMatchObject({ state: 'pending', amount: null })
  })

  test('in CDATA is read too', async () => {
    expect(await altered(body => body.replace(/(Return>)(.*)(<\/consulta)/, (_, open: string, inner: string, end: string) =>
      `${open}<![CDATA[${inner.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"')}]]>${end}`)))
      .toMatchObject({ state: 'paid', amount: 24_624n })
  })
})

describe('The form that the browser posts', () => {
  test('has the signed order, in the patient’s language, and neither key nor name', async () => {
    const order = anOrder({ locale: 'pt-PT', description: 'x'.repeat(200) })
    const { redirect } = await the.create(order)
    if (redirect.kind !== 'form') throw new Error('it is not a form')
    const fields = JSON.parse(Buffer.from(redirect.fields.Ds_MerchantParameters!, 'base64').toString())
    expect(fields).toEqual({
      DS_MERCHANT_TRANSACTIONTYPE: '0',
      DS_MERCHANT_MERCHANTCODE: '999008881',
      DS_MERCHANT_TERMINAL: '1',
      DS_MERCHANT_ORDER: orderOf(order.attempt_id),
      DS_MERCHANT_AMOUNT: '24624',
      DS_MERCHANT_CURRENCY: '978',
      DS_MERCHANT_MERCHANTDATA: order.attempt_id,
      DS_MERCHANT_PRODUCTDESCRIPTION: 'x'.repeat(125),
      DS_MERCHANT_MERCHANTURL: order.webhook_url,
      DS_MERCHANT_URLOK: order.return_url,
      DS_MERCHANT_URLKO: order.return_url,
      DS_MERCHANT_CONSUMERLANGUAGE: '9'
    })
  })

  test('isn’t made for a currency that Redsys doesn’t have, or with a broken key', async () => {
    await expect(the.create(anOrder({ currency: 'BYN' }))).rejects.toMatchObject({ code: 'provider_refused' })
    await expect(the.create(anOrder(), { redsys_test_key: 'not a key of Redsys' }))
      .rejects.toMatchObject({ code: 'provider_refused' })
  })
})

test('A refund of an amount that Redsys doesn’t have is refused, and nothing is sent', async () => {
  const paid = await the.aPaid()
  expect(await the.refund(aRefund(paid, { currency: 'BYN' }))).toMatchObject({
    state: 'refused', reason: 'Redsys can’t refund this amount in BYN.'
  })
  expect(the.standIn.refunded(paid.order.attempt_id)).toEqual([])
})

test('A notification of another merchant or terminal is refused', async () => {
  const { order } = await the.aPaid()
  const { headers, body } = the.standIn.webhook(order.attempt_id)
  const request = { headers, bytes: Buffer.from(body) }
  for (const changed of [{ redsys_merchant: '999008882' }, { redsys_terminal: '2' }])
    await expect(the.provider.readWebhook(the.host.ctx, { ...the.settings, ...changed }, request))
      .rejects.toMatchObject({ code: 'signature_wrong' })
})

test('A refund of which the bank’s portal already returned the amount isn’t made a second time', async () => {
  const paid = await the.aPaid()
  await the.refund(aRefund(paid, { amount: 5000n }))
  // We never knew of the first one.
  expect(await the.refund(aRefund(paid, { amount: 5000n }))).toMatchObject({ state: 'done' })
  expect(the.standIn.refunded(paid.order.attempt_id)).toEqual([5000n])
})
