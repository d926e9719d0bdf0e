import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { start } from '../../../server/core/runtime.ts'
import {
  ACCEPTANCE,
  aPatient,
  aSentBudget,
  aVerifiedPatient,
  BUDGETS,
  eventually,
  type SentBudget
} from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'
import { official } from '../../support/modules/official.ts'
import { ageReminders } from '../../support/reminders.ts'

const NEVER_QUIET = { quiet_from: '00:00', quiet_to: '00:00' }

let instance: Instance
let mailbox: Mailbox
let staff: Caller

beforeAll(async () => {
  await loadDocuments()
  mailbox = await aMailbox()
  instance = await anInstance({ env: { SVC_SMTP_URL: mailbox.url } })
  staff = await instance.as('admin')
  // The schedule adds no tick while this one is pending. Its own ticks would disturb the tests.
  await instance.sql`
    insert into core_delivery (module_name, kind, name, line, payload, next_attempt_at)
    values ('budget', 'job', 'send-reminders', 'cron:send-reminders', '{}', now() + interval '1 day')`
})
afterAll(async () => {
  await instance.close()
  await mailbox.close()
})

type Settings = Partial<{ enabled: boolean, days: number[], quiet_from: string, quiet_to: string }>

/** Switches reminders on, a year ago by default. */
async function setReminders(settings: Settings, since = '1 year') {
  const { status, body } = await staff.patch('/api/v1/clinic', { reminders: settings })
  if (status !== 200) throw new Error(JSON.stringify(body))
  await ageReminders(instance, since)
}

/** One tick of the schedule, in this instance or another. */
async function tick(runtime = instance.runtime) {
  const { definition, ctx } = runtime.host.registry.get('budget')!
  await definition.jobs!['send-reminders']!.run({}, ctx, { attempt: 1 })
}

async function change(run: (sql: Instance['sql']) => PromiseLike<unknown>) {
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await run(tx as unknown as Instance['sql'])
  })
}

/** A budget that was sent by email so long ago, and delivered. */
async function aMailedBudget(ago = '7 days 1 hour', fields: Record<string, unknown> = {}): Promise<SentBudget> {
  const budget = await aSentBudget(instance, fields, { channel: 'email' })
  await eventually(
    async () =>
      (await instance.sql`select from budget_link where budget_id = ${budget.id} and delivery = 'sent'`).length === 1,
    'delivery'
  )
  await sentAgo(budget, ago)
  return budget
}
const sentAgo = ({ id }: SentBudget, ago: string) => change(async (sql) => {
  await sql`update budget set sent_at = now() - ${ago}::interval where id = ${id}`
  await sql`update budget_link set delivered_at = now() - ${ago}::interval where budget_id = ${id} and delivery = 'sent'`
})

const reminders = async ({ id }: SentBudget) =>
  (
    await instance.sql`select payload from core_event where name = 'budget.reminder_sent' and payload->>'budget_id' = ${id}`
  ).map(row => row.payload)
const isSettled = async () =>
  (await instance.sql`select from core_delivery where name = 'deliver-link' and status = 'pending'`).length === 0

beforeEach(() => setReminders({ enabled: true, days: [7, 14], ...NEVER_QUIET }))

describe('automatic reminders', () => {
  test('are off until the clinic switches them on', async () => {
    const other = await instance.anotherClinic()
    expect((await (await instance.as('admin', other)).get('/api/v1/clinic')).body.data.reminders).toEqual({
      enabled: false,
      days: [7, 14],
      quiet_from: '20:00',
      quiet_to: '09:00'
    })
    await setReminders({ enabled: false })
    const budget = await aMailedBudget()
    await tick()
    expect(await reminders(budget)).toEqual([])
  })

  test('are sent once when they are due, with a message, an event and a log row, in the same state', async () => {
    const budget = await aMailedBudget()
    const early = await aMailedBudget('6 days 20 hours')
    await tick()
    await tick()
    const letter = await eventually(async () => mailbox.with(budget.url)[1], 'the reminder')
    expect(letter.subject).toBe('Recordatorio: su presupuesto de tratamiento de Clínica Peñalver')
    expect(letter.raw).not.toContain(budget.code)
    expect(await reminders(budget)).toEqual([
      expect.objectContaining({ channel: 'email', sent_at: expect.stringMatching(/Z$/), budget_number: budget.number })
    ])
    const { body } = await staff.get(`${BUDGETS}/${budget.id}/access-log`)
    expect(body.data[0]).toMatchObject({
      action: 'link_resent',
      actor: 'system',
      user_id: null,
      detail: { channel: 'email', new_link: false, days: 7 }
    })
    expect((await staff.get(`${BUDGETS}/${budget.id}`)).body.data).toMatchObject({
      status: 'sent',
      link: { channel: 'email', url: budget.url }
    })
    expect([await reminders(early), mailbox.with(budget.url).length]).toEqual([[], 2])
  })

  test('are sent again on the next of the days, and not more often than the clinic allows', async () => {
    const budget = await aMailedBudget()
    for (const [ago, count] of [['7 days 1 hour', 1], ['13 days', 1], ['14 days 1 hour', 2], ['16 days', 2]] as const) {
      await eventually(isSettled, 'the messages')
      await sentAgo(budget, ago)
      await tick()
      expect(await reminders(budget)).toHaveLength(count)
    }
  })

  test('are only sent for the last of several that are due', async () => {
    await setReminders({ days: [1, 2, 3] })
    const budget = await aMailedBudget('3 days 1 hour')
    await tick()
    await eventually(isSettled, 'the message')
    await tick()
    expect((await reminders(budget)).length).toBe(1)
  })

  test.each<[string, (budget: SentBudget) => PromiseLike<unknown>]>([
    [
      'was handed over by hand',
      budget =>
        instance.sql`update budget_link set channel = 'manual', delivery = 'none' where budget_id = ${budget.id}`
    ],
    [
      'did not reach the patient',
      budget => instance.sql`update budget_link set delivery = 'failed' where budget_id = ${budget.id}`
    ],
    [
      'was only written to the outbox, because there is no mail server',
      budget => instance.sql`update budget_link set delivered_via = 'file' where budget_id = ${budget.id}`
    ],
    [
      'is locked',
      budget =>
        instance.sql`update budget_link set locked_until = now() + interval '1 hour' where budget_id = ${budget.id}`
    ],
    ['has no code', budget => instance.sql`update budget_link set code_hash = null where budget_id = ${budget.id}`],
    [
      'was accepted',
      async budget => (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
    ],
    ['was cancelled', budget => staff.post(`${BUDGETS}/${budget.id}/cancel`, {})],
    [
      'has ended',
      budget => change(sql => sql`update budget set expires_at = now() - interval '1 second' where id = ${budget.id}`)
    ],
    [
      'had ended when it was due',
      budget => change(sql => sql`update budget set expires_at = sent_at + interval '6 days' where id = ${budget.id}`)
    ],
    ['was due more than three days ago', budget => sentAgo(budget, '10 days 2 hours')]
  ])('skip a budget that %s', async (_, make) => {
    const budget = await aMailedBudget()
    await make(budget)
    await tick()
    expect(await reminders(budget)).toEqual([])
  })

  test('skip a patient without an address', async () => {
    const patient = await aPatient(staff)
    const budget = await aMailedBudget('7 days 1 hour', { patient_id: patient.id })
    await staff.patch(`/api/v1/clinical/patients/${patient.id}`, { email: null })
    await tick()
    await staff.patch(`/api/v1/clinical/patients/${patient.id}`, { email: 'again@patient.test' })
    await tick()
    expect(await reminders(budget)).toEqual([])
  })

  test('are sent at the earliest a day after staff have resent the link', async () => {
    const budget = await aMailedBudget()
    expect((await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'email' })).status).toBe(200)
    await eventually(async () => mailbox.with(budget.url).length === 2 && await isSettled(), 'the second message')
    await tick()
    const automatic = () => instance.sql`select days from budget_reminder where budget_id = ${budget.id}`
    expect([...await automatic()]).toEqual([])
    await instance.sql`update budget_link set delivered_at = now() - interval '1 day 1 hour' where budget_id = ${budget.id}`
    await tick()
    expect([...await automatic()]).toEqual([{ days: 7 }])
  })

  test('are not sent for days before they were switched on, or before these days were chosen', async () => {
    const budget = await aMailedBudget('7 days 2 hours')
    await setReminders({ enabled: false })
    await setReminders({ enabled: true }, '1 hour')
    await tick()
    expect(await reminders(budget)).toEqual([])
    await setReminders({ days: [7] }, '1 hour')
    await tick()
    expect(await reminders(budget)).toEqual([])
    await setReminders({ quiet_from: '01:00', quiet_to: '01:00' }, '4 hours')
    await tick()
    expect(await reminders(budget)).toHaveLength(1)
  })

  test('wait for the end of the quiet hours', async () => {
    const clock = (hours: number) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Madrid', hour: '2-digit', minute: '2-digit' }).format(
        Date.now() + hours * 3_600_000
      )
    await setReminders({ quiet_from: clock(-1), quiet_to: clock(1) })
    const budget = await aMailedBudget()
    await tick()
    expect(await reminders(budget)).toEqual([])
    await setReminders({ quiet_from: clock(1), quiet_to: clock(-1) })
    await tick()
    expect(await reminders(budget)).toHaveLength(1)
  })

  test('are not sent after a delay by the mail server if the budget was decided meanwhile', async () => {
    const patient = await aPatient(staff, { email: 'held-up@patient.test' })
    const budget = await aMailedBudget('7 days 1 hour', { patient_id: patient.id })
    mailbox.answer = address => address === patient.email ? 451 : undefined
    await tick()
    await eventually(
      async () => (await staff.get(`${BUDGETS}/${budget.id}`)).body.data.link.delivery === 'failed',
      'failure'
    )
    await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
    await eventually(isSettled, 'the end') // the server still refuses mails: a try in progress would arrive
    mailbox.answer = () => undefined
    expect(mailbox.with(budget.url)).toHaveLength(1)
    expect((await staff.get(`${BUDGETS}/${budget.id}`)).body.data.link.delivery).toBe('none')
  })
})

/** `npm run test:load` sets a thousand. */
const DUE = process.env.LOAD ? 1000 : 200

describe('five instances with many due reminders', () => {
  test('send each of them once, even if they check often', async () => {
    const model = await aMailedBudget()
    const columns = async (table: string, except: string[]) =>
      (
        await instance.sql`select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
      from information_schema.columns where table_name = ${table} and is_generated = 'NEVER' and not column_name = any(${except})`
      )[0]!.names as string
    const budget = await columns('budget', ['id', 'number', 'log_count', 'log_hash', 'log_seal'])
    const link = await columns('budget_link', ['budget_id', 'token_hash', 'short_hash'])
    await change(async (sql) => {
      await sql.unsafe(
        `insert into budget (number, ${budget}) select 'PRES-2019-' || lpad(n::text, 4, '0'), ${budget} from budget, generate_series(1, ${DUE - 1}) as n where id = '${model.id}'`
      )
      await sql.unsafe(
        `insert into budget_link (budget_id, ${link}) select b.id, ${link
          .split(', ')
          .map(name => `l.${name}`)
          .join(', ')} from budget b, budget_link l where b.number like 'PRES-2019-%' and l.budget_id = '${model.id}'`
      )
      await sql`
        insert into budget_link_address (budget_id, clinic_id, channel, sealed)
        select b.id, a.clinic_id, a.channel, a.sealed from budget b, budget_link_address a
        where b.number like 'PRES-2019-%' and a.budget_id = ${model.id}`
    })
    const others = await Promise.all(Array.from({ length: 4 }, () => start(instance.runtime.host.config, official)))
    try {
      await Promise.all([instance.runtime, ...others].map(runtime => tick(runtime)))
      await Promise.all([instance.runtime, ...others].map(runtime => tick(runtime)))
      const rows
        = await instance.sql`select count(*)::int as n, count(distinct payload->>'budget_id')::int as budgets from core_event
        where name = 'budget.reminder_sent' and (payload->>'budget_number' like 'PRES-2019-%' or payload->>'budget_id' = ${model.id})`
      expect(rows[0]).toEqual({ n: DUE, budgets: DUE })
      const jobs
        = await instance.sql`select count(*)::int as n, count(distinct payload->>'id')::int as budgets from core_delivery
        where name = 'deliver-link' and (payload->>'automatic')::boolean and payload->>'id' in (select id::text from budget where number like 'PRES-2019-%' or id = ${model.id})`
      expect(jobs[0]).toEqual({ n: DUE, budgets: DUE })
    } finally {
      await Promise.all(others.map(runtime => runtime.close()))
    }
  }, 240_000)
})
