import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import type { Instance } from '../../support/instance.ts'
import { aPayingInstance, paymentCalls, REQUESTS, TRANSFER } from '../../support/providers/payments.ts'
import { aStripe } from '../../support/providers/stripe.ts'

let stripe: Awaited<ReturnType<typeof aStripe>>
let instance: Instance
let staff: Caller
let calls: ReturnType<typeof paymentCalls>
beforeAll(async () => {
  stripe = await aStripe()
  instance = await aPayingInstance({ ...TRANSFER, ...stripe.settings })
  stripe.webhook_url = `${instance.url}/api/v1/public/payments/webhooks/${instance.clinic.id}/stripe`
  staff = await instance.as('admin')
  calls = paymentCalls(instance, staff)
})
afterAll(async () => {
  await instance?.close()
  await stripe.close()
})
beforeEach(() => {
  stripe.reports('never')
  stripe.takes(amount => amount)
})

/** A patient who has followed “Pay”: the attempt's id, and the deposit. */
async function begun() {
  const made = await calls.accepted()
  return { ...made, attempt_id: await press(made) }
}

async function press({ patient, pay, request }: Pick<Awaited<ReturnType<typeof calls.accepted>>, 'patient' | 'pay' | 'request'>) {
  const known = (await calls.read(request.id)).attempts.map(({ id }: { id: string }) => id)
  const { status, headers } = await patient.get(pay)
  expect([status, headers.get('location')]).toEqual([303, expect.stringContaining(stripe.url)])
  return (await calls.read(request.id)).attempts.find(({ id }: { id: string }) => !known.includes(id)).id as string
}

const stateOf = async (id: string) => (await calls.read(id)).state
const paidOnce = async (request_id: string, budget_id: string) => {
  expect(await calls.read(request_id)).toMatchObject({ state: 'paid', method: 'card', attention: [] })
  expect((await calls.recorded(budget_id)).map(({ amount }: { amount: string }) => amount)).toEqual(['36.30'])
}
const askNow = (id: string) => instance.sql`update payments_attempt set next_check_at = now() - interval '1 second' where id = ${id}`
/** What the schedule does each minute. */
async function reconcile() {
  const { definition: { jobs }, ctx } = instance.runtime.host.registry.get('payments')!
  await jobs!.reconcile!.run({}, ctx, { attempt: 1 })
}

describe('a report', () => {
  test.each(['before', 'after', 'twice'] as const)('that comes %s the return pays once', async (how) => {
    stripe.reports(how)
    const { request, budget, attempt_id } = await begun()
    expect(await stateOf(request.id)).toBe('pending')
    await stripe.decide(attempt_id, 'pay')
    await stripe.settled()
    await eventually(async () => await stateOf(request.id) === 'paid', 'the payment')
    await paidOnce(request.id, budget.id)
    expect(stripe.charges(attempt_id)).toBe(1)
  })

  test.each(['forged', 'old'] as const)('that is %s pays nothing, and the return asks', async (how) => {
    stripe.reports(how)
    const { request, budget, attempt_id } = await begun()
    await stripe.decide(attempt_id, 'pay')
    expect(stripe.reported.at(-1)).toBe(401)
    expect(await stateOf(request.id)).toBe('pending')
    const back = await instance.anonymous().get(`${await calls.payPath(request.id)}/back/${attempt_id}`)
    expect([back.status, back.headers.get('location')]).toEqual([303, `/p/budget/${budget.token}`])
    await paidOnce(request.id, budget.id)
  })

  test('of another amount is a mismatch, which needs attention and pays nothing', async () => {
    stripe.reports('before')
    stripe.takes(amount => amount - 1n)
    const { request, budget, attempt_id } = await begun()
    await stripe.decide(attempt_id, 'pay')
    expect(await calls.read(request.id)).toMatchObject({
      state: 'open',
      attention: ['mismatch'],
      attempts: [{ state: 'mismatch', paid_amount: '36.29' }]
    })
    expect(await calls.advancesOf(budget.id)).toEqual([])
  })

  test('that is repeated late changes nothing', async () => {
    const { request, budget, attempt_id } = await begun()
    await stripe.decide(attempt_id, 'pay')
    for (const _ of [1, 2]) expect(await stripe.report(attempt_id)).toBe(204)
    await paidOnce(request.id, budget.id)
    expect(await stripe.report(attempt_id)).toBe(204)
    await paidOnce(request.id, budget.id)
  })

  test('for another clinic\'s address is refused', async () => {
    const { attempt_id, request } = await begun()
    await stripe.decide(attempt_id, 'pay')
    const { headers, body, url } = stripe.webhook(attempt_id)
    const other = url.replace(instance.clinic.id, (await instance.anotherClinic()).id)
    expect((await fetch(other, { method: 'POST', headers, body })).status).toBe(401)
    expect((await fetch(url.replace('stripe', 'unknown'), { method: 'POST', headers, body })).status).toBe(401)
    expect(await stateOf(request.id)).toBe('pending')
  })
})

test('a provider that never reports is asked by the schedule', async () => {
  const { request, budget, attempt_id } = await begun()
  await stripe.decide(attempt_id, 'pay')
  await askNow(attempt_id)
  await reconcile()
  await eventually(async () => await stateOf(request.id) === 'paid', 'the payment')
  await paidOnce(request.id, budget.id)
})

test('two tabs pay at once: one payment counts, the other is an advance that needs attention', async () => {
  stripe.reports('before')
  const made = await calls.accepted()
  const first = await press(made)
  const second = await press(made)
  await Promise.all([first, second].map(id => stripe.decide(id, 'pay')))
  await stripe.settled()
  expect(await calls.read(made.request.id)).toMatchObject({ state: 'paid', attention: ['paid_twice'] })
  expect(await calls.recorded(made.budget.id, 2)).toHaveLength(2)
  const { attempts } = await calls.read(made.request.id)
  const twice = attempts.find(({ attention }: { attention: string }) => attention === 'paid_twice')
  const { body } = await staff.post(`${REQUESTS}/${made.request.id}/refund`, { attempt_id: twice.id, reason: 'Paid twice.' })
  expect(body.data).toMatchObject({ state: 'paid', refunded: '0.00', attention: [] })
  expect(stripe.refunded(twice.id)).toEqual([3630n])
})

test('a declined card leaves the request for another try, which pays it', async () => {
  stripe.reports('before')
  const made = await calls.accepted()
  const first = await press(made)
  await stripe.decide(first, 'decline')
  await eventually(async () => await stateOf(made.request.id) !== 'pending', 'the refusal')
  const second = await press(made)
  await stripe.decide(second, 'pay')
  await paidOnce(made.request.id, made.budget.id)
})

describe('a refund', () => {
  test('in part is what the provider did, and takes the same amount out of the books', async () => {
    stripe.reports('before')
    const { request, budget, attempt_id } = await begun()
    await stripe.decide(attempt_id, 'pay')
    await calls.recorded(budget.id)
    const refund_id = crypto.randomUUID()
    const give = () => staff.post(`${REQUESTS}/${request.id}/refund`, { amount: '10.00', reason: 'A gesture.', refund_id })
    expect((await give()).body.data).toMatchObject({ state: 'paid', refunded: '10.00', refunds: [{ state: 'done' }] })
    expect((await give()).body.data.refunded).toBe('10.00')
    expect(stripe.refunded(attempt_id)).toEqual([1000n])
    await eventually(async () => (await calls.advancesOf(budget.id))[0].returned === '10.00', 'the return')
    expect((await staff.post(`${REQUESTS}/${request.id}/refund`, { amount: '26.31', reason: 'More.' })).body)
      .toMatchObject({ code: 'over_refund', left: '26.30' })
  })

  test('whose answer was lost is repeated under its key, and counts once', async () => {
    stripe.reports('before')
    const { request, budget, attempt_id } = await begun()
    await stripe.decide(attempt_id, 'pay')
    await calls.recorded(budget.id)
    stripe.trouble('drop', /POST \/v1\/refunds/)
    const { body } = await staff.post(`${REQUESTS}/${request.id}/refund`, { reason: 'All.' })
    expect(body.data).toMatchObject({ state: 'paid', refunds: [{ state: 'open' }] })
    await instance.sql`update payments_refund set next_check_at = now() - interval '1 second' where request_id = ${request.id}`
    await reconcile()
    await eventually(async () => await stateOf(request.id) === 'refunded', 'the refund')
    expect(stripe.refunded(attempt_id)).toEqual([3630n])
  })
})

test('a checkout whose answer was lost is made again under its key: one charge, one payment', async () => {
  const made = await calls.accepted()
  stripe.trouble('drop', /POST \/v1\/checkout/)
  const { status } = await made.patient.get(made.pay)
  expect(status).toBe(503)
  const [attempt] = (await calls.read(made.request.id)).attempts
  expect(attempt).toMatchObject({ state: 'open', ref: null })
  await stripe.decide(attempt.id, 'pay')
  await askNow(attempt.id)
  await reconcile()
  await eventually(async () => await stateOf(made.request.id) === 'paid', 'the payment')
  expect(stripe.charges(attempt.id)).toBe(1)
})

test('the connection can be tested', async () => {
  expect((await staff.post('/api/v1/payments/test')).body.data).toMatchObject({
    provider: 'stripe', mode: 'test', ok: true, code: 'ok', missing: [], webhook_url: expect.stringMatching(/\/stripe$/)
  })
})
