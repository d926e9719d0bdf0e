import { randomUUID } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRequest } from '../../../layers/payments/server/db/requests.ts'
import { checkByJob } from '../../../layers/payments/server/services/attempts/check-attempt.ts'
import { readReport } from '../../../layers/payments/server/services/attempts/read-report.ts'
import { recordAdvance } from '../../../layers/payments/server/services/attempts/record-advance.ts'
import { startCheckout } from '../../../layers/payments/server/services/attempts/start-checkout.ts'
import { checkRefund } from '../../../layers/payments/server/services/refunds/process-refund.ts'
import { requestRefund } from '../../../layers/payments/server/services/refunds/request-refund.ts'
import { returnAdvance } from '../../../layers/payments/server/services/refunds/return-advance.ts'
import { dyingAt } from '../../support/database/at-each-point.ts'
import type { Instance } from '../../support/instance.ts'
import { aPayingInstance, choose, paymentCalls, TRANSFER } from '../../support/providers/payments.ts'
import { pressAt } from '../../support/providers/browse.ts'
import { aMollie } from '../../support/providers/mollie.ts'
import { aRedsys } from '../../support/providers/redsys.ts'
import type { StandIn } from '../../support/providers/stand-in.ts'
import { aStripe } from '../../support/providers/stripe.ts'

type Step = 'checkout' | 'report' | 'ask' | 'record' | 'refund' | 'return'
const STEPS: Step[] = ['checkout', 'report', 'ask', 'record', 'refund', 'return']

/** Which steps are killed with which provider; `npm run test:load` kills all of them with each. */
const PROVIDERS: [string, () => Promise<StandIn & { settings: object }>, Step[]][] = [
  ['stripe', aStripe, ['checkout', 'record', 'return']],
  ['mollie', aMollie, ['report']],
  // Without idempotency keys, a refund is the hardest.
  ['redsys', aRedsys, ['ask', 'refund']]
]
/** Between these points is nothing but statements of one transaction of billing's. */
const EVERY: Partial<Record<Step, number>> = process.env.LOAD ? {} : { record: 6, return: 6 }
const CLIENT = { ip: '127.0.0.1', ip_key: '127.0.0.1', user_agent: 'test' }

let instance: Instance
let calls: ReturnType<typeof paymentCalls>
let staff: Awaited<ReturnType<Instance['as']>>
let user_id: string
beforeAll(async () => {
  instance = await aPayingInstance()
  staff = await instance.as('admin')
  calls = paymentCalls(instance, staff)
  user_id = (await staff.get('/me')).body.data.user.id
})
afterAll(() => instance.close())

describe.each(PROVIDERS)('a payment with %s, killed at every point', (provider, aStandIn, steps) => {
  let standIn: StandIn
  let ctx: Ctx
  let undisturbed: Awaited<ReturnType<typeof live>>['state']
  beforeAll(async () => {
    const started = await aStandIn()
    standIn = started
    // The test decides when the clinic learns of a payment, and is the worker that runs the module's jobs.
    standIn.reports('never')
    await choose(staff, { ...TRANSFER, ...started.settings })
    const { ctx: whole } = instance.runtime.host.registry.get('payments')!
    ctx = { ...whole, jobs: { add: () => Promise.resolve() } }
    undisturbed = (await live(null, 0)).state
  })
  afterAll(() => standIn.close())

  /**
   * The whole way of the money: paid, recorded, and a part of it returned. One step dies at a point, and then happens
   * what happens after a crash: the patient presses the button again, the provider repeats its report, or the schedule
   * asks. `points`: of that step.
   */
  async function live(dying: Step | null, at: number) {
    const { clinic } = instance
    const { request: { id }, budget } = await calls.accepted()
    const request = () => findRequest(ctx.db, { clinic_id: clinic.id, id })
    const attempts = async () =>
      (await instance.sql`select id from payments_attempt where request_id = ${id} order by created_at, id`)
        .map(row => row.id as string)
    let points = 0

    /** Runs the step, or lets it die and then `again`. */
    async function step(name: Step, run: (ctx: Ctx) => Promise<unknown>, again = () => run(ctx)): Promise<void> {
      if (dying !== name) return void await run(ctx)
      const died = await dyingAt(at, ctx, run)
      points = died.points
      if (!died.lived) await again()
    }

    const checkout = async (with_: Ctx) => startCheckout(with_, { request: (await request())!, return_to: null })
    const askAll = async () => {
      for (const attempt_id of await attempts()) await checkByJob(ctx, { attempt_id })
    }
    if (dying === 'checkout') await step('checkout', checkout, askAll)
    const redirect = await checkout(ctx)
    const attempt_id = (await attempts()).at(-1)!

    await pressAt(redirect, 'pay')
    const { headers, body } = standIn.webhook(attempt_id)
    const report = (with_: Ctx) =>
      readReport(with_, { clinic_id: clinic.id, provider, headers, bytes: Buffer.from(body) })
    if (dying === 'ask') await step('ask', with_ => checkByJob(with_, { attempt_id }))
    else await step('report', report)
    await report(ctx) // Providers repeat.
    await step('record', with_ => recordAdvance(with_, { attempt_id }))

    const refund_id = randomUUID()
    const refund = { clinic_id: clinic.id, id, refund_id, amount: '10.00', reason: 'A gesture.', user_id }
    const who = { actor: { user_id, clinic_id: clinic.id, name: 'Ada' }, client: CLIENT } as never
    await step('refund', with_ => requestRefund(with_, { ...refund, who }), async () => {
      await requestRefund(ctx, { ...refund, who }) // The staff press the button again,
      await checkRefund(ctx, { refund_id }) // and the schedule continues with what was stored.
    })
    await step('return', with_ => returnAdvance(with_, { refund_id }))
    return { points, state: await stateOf({ id, budget_id: budget.id, attempts: await attempts() }) }
  }

  async function stateOf({ id, budget_id, attempts }: { id: string, budget_id: string, attempts: string[] }) {
    const { state, refunded, attention, refunds } = await calls.read(id)
    const events = await instance.sql`
      select name, count(*)::int as n from core_event where payload ->> 'request_id' = ${id} group by name order by name`
    const paid = await instance.sql`
      select paid_amount::text, recorded_at is not null as is_recorded from payments_attempt
      where request_id = ${id} and state in ('paid', 'mismatch')`
    return {
      request: { state, refunded, attention },
      refunds: refunds.map(({ state, amount }: Record<string, string>) => ({ state, amount })),
      paid: paid.map(row => ({ ...row })),
      advances: (await calls.advancesOf(budget_id)).map(({ amount, returned, balance }: Record<string, string>) =>
        ({ amount, returned, balance })),
      events: events.map(row => ({ ...row })),
      charges: attempts.map(attempt => standIn.charges(attempt)).filter(count => count > 0),
      refunded: standIn.refunded(attempts.at(-1)!)
    }
  }

  test('is undisturbed charged, recorded and returned once', () => {
    expect(undisturbed).toMatchObject({
      request: { state: 'paid', refunded: '10.00', attention: [] },
      refunds: [{ state: 'done', amount: '10.00' }],
      paid: [{ paid_amount: '3630', is_recorded: true }],
      advances: [{ amount: '36.30', returned: '10.00', balance: '26.30' }],
      charges: [1],
      refunded: [1000n]
    })
  })

  test.each(process.env.LOAD ? STEPS : steps)('of its step “%s”, ends as an undisturbed one', { timeout: 300_000 }, async (step) => {
    const { points, state } = await live(step, 0)
    expect(points).toBeGreaterThan(1)
    expect(state.charges).toEqual([1])
    const every = EVERY[step] ?? 1
    for (let at = 1; at <= points; at += every)
      expect((await live(step, at)).state, `point ${at} of ${points}`).toEqual(undisturbed)
  })
})
