import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runSchedule } from '../../../server/core/events/schedule.ts'
import { createLimits } from '../../../server/core/http/rate-limit.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually, type SentBudget } from '../../support/builders.ts'
import type { Instance } from '../../support/instance.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'
import { verified } from '../../support/outside/receiver.ts'
import { shiftClock } from '../../support/browser/shifted-clock.ts'
import { aWebhookWorld, type WebhookWorld } from '../../support/webhooks.ts'
import { ageReminders } from '../../support/reminders.ts'

const DAY = 86_400_000
let world: WebhookWorld
let instance: Instance
let mailbox: Mailbox

beforeAll(async () => {
  await loadDocuments()
  mailbox = await aMailbox()
  world = await aWebhookWorld({ SVC_SMTP_URL: mailbox.url })
  instance = world.instance
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
})

async function change(run: (sql: Instance['sql']) => PromiseLike<unknown>) {
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await run(tx as unknown as Instance['sql'])
  })
}
const endsIn = ({ id }: SentBudget, seconds: number) =>
  change(sql => sql`update budget set expires_at = now() + make_interval(secs => ${seconds}) where id = ${id}`)

describe.each([
  ['ahead', DAY],
  ['behind', -DAY]
])('an instance whose clock is a day %s', { timeout: 120_000 }, (_where, shift) => {
  beforeEach(() => shiftClock(shift))
  afterEach(() => shiftClock(0))

  test('counts limits together with an instance whose clock is right, in the same window', async () => {
    const limiter = createLimits(instance.runtime.host.db).limiter({
      name: `test-${randomBytes(4).toString('hex')}`,
      points: 3,
      seconds: 60
    })
    const resets: number[] = []
    for (const [clock, remaining] of [
      [0, 2],
      [shift, 1],
      [0, 0]
    ] as const) {
      shiftClock(clock)
      const state = await limiter.take('k')
      expect(state).toMatchObject({ allowed: true, remaining })
      resets.push(state.reset)
    }
    for (const clock of [0, shift]) {
      shiftClock(clock)
      for (const state of [await limiter.take('k'), await limiter.peek('k')]) {
        expect(state).toMatchObject({ allowed: false, remaining: 0 })
        resets.push(state.reset)
      }
    }
    expect(Math.min(...resets)).toBeGreaterThan(0)
    expect(Math.max(...resets)).toBeLessThanOrEqual(60)
  })

  test('locks and unlocks a link at the same time as the others', async () => {
    const budget = await aSentBudget(instance)
    const verify = async (code: string) => await instance.anonymous().post(`${budget.base}/verify`, { code })
    for (let failure = 0; failure < 4; failure++) expect((await verify('0000')).status).toBe(401)
    const locked = await verify('0000')
    expect(locked.status).toBe(423)
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60)
    for (const clock of [0, shift]) {
      shiftClock(clock)
      expect((await verify(budget.code)).status).toBe(423)
    }
    await instance.sql`update budget_link set locked_until = now() - interval '1 second' where budget_id = ${budget.id}`
    for (const clock of [0, shift]) {
      shiftClock(clock)
      expect((await verify(budget.code)).status).toBe(200)
    }
  })

  test('ends sessions at the same time as the others, and accepts a decision until the same instant', async () => {
    const [open, over] = [await aSentBudget(instance), await aSentBudget(instance)]
    const patients = await Promise.all([open, over].map(budget => aVerifiedPatient(instance, budget)))
    await endsIn(open, 60)
    await endsIn(over, -1)
    expect((await patients[1]!.post(`${over.base}/accept`, ACCEPTANCE)).body).toMatchObject({ status: 410 })
    expect((await patients[0]!.post(`${open.base}/accept`, ACCEPTANCE)).status).toBe(200)
    const [row]
      = await instance.sql`select decided_at between now() - interval '1 minute' and now() as is_now from budget_signature where budget_id = ${open.id}`
    expect(row!.is_now).toBe(true)

    const staff = await instance.as('admin')
    shiftClock(0)
    expect((await staff.get('/me')).status).toBe(200)
    expect((await patients[0]!.get(open.base)).status).toBe(200)
  })

  test('runs schedules at the same time as the others, once when due and never before', async () => {
    const { db, log } = instance.runtime.host
    const module = `test-${randomBytes(4).toString('hex')}`
    // Each next run comes only from its schedule, so that only the clock can move it.
    const [cron] = await instance.sql`
      select to_char(now() - interval '1 hour', 'FMMI FMHH24 * * *') as due, to_char(now() + interval '1 hour', 'FMMI FMHH24 * * *') as early`
    await instance.sql`
      insert into core_schedule (module_name, name, next_at)
      values (${module}, 'due', date_trunc('minute', now() - interval '1 hour')), (${module}, 'early', date_trunc('minute', now() + interval '1 hour'))`
    const hasTurned = async (name: string) =>
      (
        await instance.sql`select 1 from core_schedule where module_name = ${module} and name = ${name} and next_at > now()`
      ).length === 1
    const ticks: string[] = []
    const scheduled = (name: string, cron: string) => ({ module, name, cron, tick: async () => void ticks.push(name) })

    for (const [mark, clock] of [
      ['first', shift],
      ['second', shift],
      ['others', 0]
    ] as const) {
      shiftClock(clock)
      const schedule = runSchedule({ db, log }, [
        scheduled('due', cron!.due),
        scheduled('early', cron!.early),
        scheduled(mark, '7 3 1 * *')
      ]) // its first run creates the mark
      await eventually(() => hasTurned(mark), 'the turn')
      await schedule.stop()
      expect(ticks).toEqual(['due'])
    }
  })

  test('sends only reminders that are due', async () => {
    const staff = await instance.as('admin')
    await staff.patch('/api/v1/clinic', {
      reminders: { enabled: true, days: [7], quiet_from: '00:00', quiet_to: '00:00' }
    })
    await ageReminders(instance, '1 year')
    const [due, early] = [
      await aSentBudget(instance, {}, { channel: 'email' }),
      await aSentBudget(instance, {}, { channel: 'email' })
    ]
    for (const { id } of [due, early]) {
      await eventually(
        async () =>
          (await instance.sql`select from budget_link where budget_id = ${id} and delivery = 'sent'`).length === 1,
        'delivery'
      )
    }
    await instance.sql`update budget_link set delivered_at = delivered_at - interval '2 days' where budget_id in (${due.id}, ${early.id})`
    await change(sql => sql`update budget set sent_at = now() - interval '7 days 1 hour' where id = ${due.id}`)
    await change(sql => sql`update budget set sent_at = now() - interval '6 days 20 hours' where id = ${early.id}`)
    const { definition, ctx } = instance.runtime.host.registry.get('budget')!
    for (const clock of [shift, 0]) {
      shiftClock(clock)
      await definition.jobs!['send-reminders']!.run({}, ctx, { attempt: 1 })
    }
    const reminded
      = await instance.sql`select payload->>'budget_id' as id from core_event where name = 'budget.reminder_sent' and payload->>'budget_id' = any(${[due.id, early.id]})`
    expect(reminded.map(({ id }) => id)).toEqual([due.id])
  })

  test('sets the same time in its messages and signatures of webhooks as the others', async () => {
    const webhook = await world.aWebhook()
    await world.publish()
    const [request] = await world.receiver.at(webhook.path)
    await instance.runtime.host.mail.send({
      to: `clock${shift}@patient.test`,
      subject: 'When',
      text: 'Now',
      html: '<p>Now</p>'
    })
    shiftClock(0)
    expect(() => verified(webhook.secret, request!)).not.toThrow() // five minutes of tolerance in both directions
    const letter = mailbox.letters.find(({ to }) => to === `clock${shift}@patient.test`)!
    const date = /^Date: (.*)$/m.exec(letter.raw)![1]!
    expect(Math.abs(Date.now() - Date.parse(date))).toBeLessThan(300_000)
  })
})
