import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import type { Instance } from '../../support/instance.ts'
import { pressAt } from '../../support/providers/browse.ts'
import { aMollie } from '../../support/providers/mollie.ts'
import { aPayingInstance, choose, paymentCalls, REQUESTS, TRANSFER } from '../../support/providers/payments.ts'
import { aRedsys } from '../../support/providers/redsys.ts'
import type { StandIn } from '../../support/providers/stand-in.ts'
import { aStripe } from '../../support/providers/stripe.ts'

let instance: Instance
let staff: Caller
let calls: ReturnType<typeof paymentCalls>
let stripe: Awaited<ReturnType<typeof aStripe>>
let mollie: Awaited<ReturnType<typeof aMollie>>
let redsys: Awaited<ReturnType<typeof aRedsys>>
beforeAll(async () => {
  instance = await aPayingInstance()
  staff = await instance.as('admin')
  calls = paymentCalls(instance, staff)
  ;[stripe, mollie, redsys] = await Promise.all([aStripe(), aMollie(), aRedsys()])
  for (const standIn of [stripe, mollie, redsys]) standIn.reports('never')
  stripe.webhook_url = `${instance.url}/api/v1/public/payments/webhooks/${instance.clinic.id}/stripe`
})
afterAll(async () => {
  await instance?.close()
  for (const standIn of [stripe, mollie, redsys]) await standIn?.close()
})

const moduleOf = () => instance.runtime.host.registry.get('payments')!
/** What the schedule does each minute. */
async function reconcile() {
  await instance.sql`update payments_attempt set next_check_at = now() - interval '1 second' where next_check_at is not null`
  await instance.sql`update payments_refund set next_check_at = now() - interval '1 second' where next_check_at is not null`
  const { definition: { jobs }, ctx } = moduleOf()
  await jobs!.reconcile!.run({}, ctx, { attempt: 1 })
}

/** A patient who has begun to pay the deposit at the provider. */
async function begun(standIn: StandIn & { settings: object }) {
  await choose(staff, { ...TRANSFER, ...standIn.settings })
  const made = await calls.accepted()
  const { body } = await instance.anonymous().post(`${await calls.payPath(made.request.id)}/checkout`, {})
  const [{ id: attempt_id }] = (await calls.read(made.request.id)).attempts
  return { ...made, redirect: body.data, attempt_id: attempt_id as string }
}

/** A deposit that the staff have marked as paid, in billing too. */
async function paidByHand() {
  await choose(staff, TRANSFER)
  const made = await calls.accepted()
  const { body } = await staff.post(`${REQUESTS}/${made.request.id}/paid`, { method: 'transfer' })
  await calls.recorded(made.budget.id)
  return { ...made, attempt_id: body.data.attempts[0].id as string }
}

const refund = (id: string, fields: object = {}) => staff.post(`${REQUESTS}/${id}/refund`, { reason: 'A gesture.', ...fields })
const returnByHand = async (advance_id: string, amount: string) => {
  const { status } = await staff.post(`/api/v1/billing/advances/${advance_id}/reverse`, { amount, reason: 'By hand.' })
  expect(status).toBe(200)
}
const payAtTheDesk = async (invoice_id: string, amount: string) => {
  const { status } = await staff.post(`${INVOICES}/${invoice_id}/payments`, { amount, method: 'cash' })
  expect(status).toBe(201)
}

describe('a payment in test mode that comes after the clinic went live', () => {
  test.each([['Stripe', () => stripe], ['Redsys', () => redsys]] as const)('by %s pays nothing, and needs attention', async (_, standIn) => {
    const { request, budget, redirect, attempt_id } = await begun(standIn())
    await choose(staff, { mode: 'live' })
    await pressAt(redirect, 'pay')
    expect(await standIn().report(attempt_id)).toBe(204)
    expect(await calls.read(request.id)).toMatchObject({
      state: 'open', attention: ['test_payment'], attempts: [{ state: 'mismatch', attention: 'test_payment' }]
    })
    expect(await calls.advancesOf(budget.id)).toEqual([])
  })
})

describe('a refund', () => {
  test('is at most what billing has left of the payment', async () => {
    const { request, budget, attempt_id } = await paidByHand()
    await returnByHand(attempt_id, '30.00')
    expect((await refund(request.id, { amount: '10.00' })).body).toMatchObject({ code: 'over_refund', left: '6.30' })
    expect((await refund(request.id, { amount: '6.00' })).body.data).toMatchObject({ refunded: '6.00' })
    await eventually(async () => (await calls.advancesOf(budget.id))[0].returned === '36.00', 'the return')
    expect((await refund(request.id)).body.data).toMatchObject({ refunded: '6.30' })
  })

  test('that billing can’t record any more needs attention, and is named by the doctor', async () => {
    mollie.refunds('pending')
    const { request, budget, redirect, attempt_id } = await begun(mollie)
    await pressAt(redirect, 'pay')
    await reconcile()
    await calls.recorded(budget.id)
    expect((await refund(request.id, { amount: '10.00' })).body.data).toMatchObject({ refunds: [{ state: 'pending' }] })
    await returnByHand(attempt_id, '30.00')
    mollie.find(attempt_id).refunds.at(-1)!.state = 'done'
    await reconcile()
    await eventually(async () => (await calls.read(request.id)).attention.includes('refund_unrecorded'), 'the attention')
    expect((await calls.advancesOf(budget.id))[0].returned).toBe('30.00')
    await instance.sql`update payments_refund set done_at = now() - interval '1 hour' where request_id = ${request.id}`
    const { definition: { doctor }, ctx } = moduleOf()
    expect(await doctor!(ctx)).toContainEqual(expect.objectContaining({ code: 'payment_refund_unrecorded', object: request.reference }))
    mollie.refunds('done')
  })
})

const attemptOf = async (id: string) => (await instance.sql`select * from payments_attempt where id = ${id}`)[0]!

describe('the schedule', () => {
  test('asks again after an answer that no one expected', async () => {
    const { redirect, attempt_id } = await begun(stripe)
    await pressAt(redirect, 'pay')
    stripe.alters(answer => ({ ...answer, body: String(answer.body).replaceAll('"eur"', '"xxx"') }))
    await reconcile()
    await eventually(async () => (await attemptOf(attempt_id)).checks === 1, 'the check')
    expect((await attemptOf(attempt_id)).next_check_at.getTime()).toBeGreaterThan(Date.now())
    stripe.alters(answer => answer)
  })

  test('ends an attempt that was never shown, once the patient’s data is erased', async () => {
    await choose(staff, { ...TRANSFER, ...stripe.settings })
    const { request } = await calls.accepted()
    stripe.trouble('drop', /POST \/v1\/checkout/)
    expect((await instance.anonymous().post(`${await calls.payPath(request.id)}/checkout`, {})).status).toBe(503)
    await staff.post(`/api/v1/clinic/persons/${request.patient.id}/erase`, { dry_run: false })
    await reconcile()
    await eventually(async () => (await calls.read(request.id)).attempts[0].state === 'cancelled', 'the end')
    expect(await attemptOf((await calls.read(request.id)).attempts[0].id)).toMatchObject({ next_check_at: null })
  })

  test('asks for a declined order of Redsys, which can be paid with another card', async () => {
    const { request, redirect, attempt_id } = await begun(redsys)
    await pressAt(redirect, 'decline')
    await redsys.report(attempt_id)
    expect((await calls.read(request.id)).state).toBe('failed')
    redsys.find(attempt_id).state = 'open'
    await redsys.decide(attempt_id, 'pay')
    await reconcile()
    await eventually(async () => (await calls.read(request.id)).state === 'paid', 'the payment')
  })

  test('asks every day for a refund that takes longer than three days, and the doctor names it', async () => {
    mollie.refunds('pending')
    const { request, budget, redirect } = await begun(mollie)
    await pressAt(redirect, 'pay')
    await reconcile()
    await calls.recorded(budget.id)
    await refund(request.id)
    await instance.sql`update payments_refund set created_at = now() - interval '4 days' where request_id = ${request.id}`
    await reconcile()
    const nextCheck = async () => (await instance.sql`select next_check_at from payments_refund where request_id = ${request.id}`)[0]!
    await eventually(async () => (await nextCheck()).next_check_at?.getTime() > Date.now() + 23 * 3_600_000, 'the next check')
    const { definition: { doctor }, ctx } = moduleOf()
    expect(await doctor!(ctx)).toContainEqual(expect.objectContaining({ code: 'payment_refund_pending', object: request.reference }))
    mollie.refunds('done')
  })
})

test('a report of Mollie reaches the attempt of the other mode', async () => {
  const { request, redirect, attempt_id } = await begun(mollie)
  await choose(staff, { mode: 'live', mollie_live_key: 'live_Unused000000000000000000000key' })
  await pressAt(redirect, 'pay')
  expect(await mollie.report(attempt_id)).toBe(204)
  expect(await calls.read(request.id)).toMatchObject({ attention: ['test_payment'] })
})

test('an erasure waits for a payment that comes at the same moment, and leaves it', async () => {
  const { request } = await paidByHand()
  await instance.sql`update payments_request set state = 'pending' where id = ${request.id}`
  const erased = await instance.sql.begin(async (sql) => {
    await sql`update payments_request set state = 'paid' where id = ${request.id}`
    const erasing = staff.post(`/api/v1/clinic/persons/${request.patient.id}/erase`, { dry_run: false })
    await eventually(async () => (await instance.sql`select from pg_locks where not granted`).length > 0, 'the wait')
    return { erasing }
  })
  expect((await erased.erasing).status).toBe(200)
  expect((await calls.read(request.id)).state).toBe('paid')
})

describe('what needs attention', () => {
  test('stays while another payment has the same reason, and a member clears only what they have seen', async () => {
    const { request } = await paidByHand()
    const again = async () => {
      const { body } = await staff.post(`${REQUESTS}/${request.id}/paid`, { method: 'transfer', again: true })
      return body.data.attempts.at(-1).id as string
    }
    const [second, third] = [await again(), await again()]
    expect((await refund(request.id, { attempt_id: second })).body.data).toMatchObject({ attention: ['paid_twice'] })
    const clear = (reasons: string[]) => staff.post(`${REQUESTS}/${request.id}/attention/clear`, { reasons })
    expect((await clear(['mismatch'])).body.data).toMatchObject({ attention: ['paid_twice'] })
    expect((await refund(request.id, { attempt_id: third, amount: '1.00' })).body.data).toMatchObject({ attention: ['paid_twice'] })
    expect((await clear(['paid_twice'])).body.data).toMatchObject({ attention: [] })
    expect((await refund(request.id, { attempt_id: third })).body.data).toMatchObject({ attention: [] })
  })
})

describe('an invoice that is paid in another way', () => {
  test('ends the deposit of its budget', async () => {
    await choose(staff, TRANSFER)
    const { invoice, budget } = await calls.issued()
    const deposit = await eventually(() => calls.depositOf(budget.id))
    const link = await calls.payPath(deposit.id)
    await payAtTheDesk(invoice.id, '121.00')
    expect((await instance.anonymous().get(link)).body.data).toMatchObject({ state: 'cancelled', pay_by: null })
    expect(await calls.read(deposit.id)).toMatchObject({ state: 'cancelled', cancel_reason: 'settled' })
  })

  test('leaves money that still comes as an advance that needs attention', async () => {
    await choose(staff, TRANSFER)
    const { invoice, budget } = await calls.issued()
    const { body } = await staff.post(REQUESTS, { invoice_id: invoice.id, amount: '21.01', send: false })
    await payAtTheDesk(invoice.id, '100.00')
    await staff.post(`${REQUESTS}/${body.data.id}/paid`, { method: 'transfer' })
    await calls.recorded(budget.id)
    await eventually(async () => (await calls.read(body.data.id)).attention.includes('paid_twice'), 'the attention')
    expect(await calls.read(body.data.id)).toMatchObject({ state: 'paid', attempts: [{ attention: 'paid_twice' }] })
  })

  test('in part leaves the rest: page, staff and provider have the same amount', async () => {
    await choose(staff, TRANSFER)
    const { invoice } = await calls.issued()
    const { body: { data: { id } } } = await staff.post(REQUESTS, { invoice_id: invoice.id, send: false })
    const link = await calls.payPath(id)
    await payAtTheDesk(invoice.id, '100.00')
    expect((await instance.anonymous().get(link)).body.data).toMatchObject({ state: 'open', amount: '21.00', pay_by: 'transfer' })
    expect(await calls.read(id)).toMatchObject({ state: 'open', amount: '21.00' })
    await payAtTheDesk(invoice.id, '1.00')
    await choose(staff, mollie.settings)
    expect((await instance.anonymous().post(`${link}/checkout`, {})).status).toBe(200)
    const { amount, attempts } = await calls.read(id)
    expect([amount, attempts[0].amount]).toEqual(['20.00', '20.00'])
    const audit = await instance.sql`select detail from core_audit where target_id = ${id} and detail -> 'fields' ? 'amount'`
    expect(audit).toHaveLength(2)
  })

  test('in part before another amount arrives keeps what was paid', async () => {
    await choose(staff, { ...TRANSFER, ...mollie.settings })
    const { invoice, budget } = await calls.issued()
    const { body: { data: { id } } } = await staff.post(REQUESTS, { invoice_id: invoice.id, send: false })
    const link = await calls.payPath(id)
    const { body } = await instance.anonymous().post(`${link}/checkout`, {})
    await payAtTheDesk(invoice.id, '100.00')
    expect((await instance.anonymous().get(link)).body.data.amount).toBe('21.00')
    await pressAt(body.data, 'pay')
    await reconcile()
    await calls.recorded(budget.id)
    await eventually(async () => (await calls.read(id)).attention.includes('paid_twice'), 'the attention')
    expect(await calls.read(id)).toMatchObject({ state: 'paid', amount: '121.00' })
    expect((await refund(id, { amount: '121.00' })).body.data).toMatchObject({ state: 'refunded', attention: [] })
  })
})

test('the open requests of an invoice are together at most what is due', async () => {
  await choose(staff, TRANSFER)
  const { invoice } = await calls.issued()
  const ask = (fields: object = {}) => staff.post(REQUESTS, { invoice_id: invoice.id, send: false, ...fields })
  const answers = await Promise.all([ask({ amount: '100.00' }), ask({ amount: '100.00' })])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await ask({ amount: '21.01' })).body).toMatchObject({ code: 'over_due', due: '21.00' })
  expect((await ask()).body.data).toMatchObject({ amount: '21.00' })
  expect((await ask()).body).toMatchObject({ code: 'over_due', due: '0.00' })
})

test('a key is not sent to another address: it is empty unless the same change has a new one', async () => {
  const keys = { stripe_test_key: 'sk_test_1111111111', stripe_live_key: 'sk_live_1111111111', mollie_test_key: 'test_1111111111' }
  const settingsNow = async () => (await staff.get('/api/v1/clinic/settings/payments')).body.data
  await choose(staff, { ...TRANSFER, ...keys })
  const before = await settingsNow()
  await choose(staff, { stripe_host: 'https://stripe.example', stripe_test_key: 'sk_test_2222222222' })
  const { stripe_test_key, stripe_live_key, mollie_test_key } = await settingsNow()
  expect([stripe_test_key, mollie_test_key]).toEqual([before.stripe_test_key, before.mollie_test_key])
  expect(before.stripe_live_key).not.toEqual(stripe_live_key)
  await choose(staff, { stripe_host: 'https://other.example', stripe_test_key: 'sk_test_2222222222' })
  expect((await settingsNow()).stripe_test_key).toEqual(stripe_test_key) // the same key, entered for this address
  await choose(staff, { stripe_host: 'https://third.example' })
  expect((await settingsNow()).stripe_test_key).toEqual(stripe_live_key)
})

describe('“Pay” on the page of a link', () => {
  const form = { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept': 'text/html' } }

  test('of a clinic that takes transfers makes no attempt, and leads back to the page in the chosen language', async () => {
    await choose(staff, TRANSFER)
    const { request } = await calls.accepted()
    const link = await calls.payPath(request.id)
    expect((await instance.anonymous().post(`${link}/checkout`, {})).body.code).toBe('provider_not_ready')
    const { status, headers } = await instance.anonymous().post(`${link}/checkout?locale=ar`, undefined, form)
    expect([status, headers.get('location')]).toEqual([303, `${link.replace('/api/v1/public/payments', '')}?locale=ar`])
    expect((await calls.read(request.id))).toMatchObject({ state: 'open', attempts: [] })
  })

  test('leads on in the chosen language', async () => {
    await choose(staff, { ...TRANSFER, ...mollie.settings })
    const { request } = await calls.accepted()
    const { status, bytes } = await instance.anonymous().post(`${await calls.payPath(request.id)}/checkout?locale=ar`, undefined, form)
    expect([status, bytes.toString()]).toEqual([200, expect.stringContaining('<html lang="ar" dir="rtl">')])
  })

  test('of an unknown link leads to the page that says so', async () => {
    const { status, headers } = await instance.anonymous().post('/api/v1/public/payments/pay/unknown/checkout', undefined, form)
    expect([status, headers.get('location')]).toEqual([303, '/pay/unknown'])
  })
})
