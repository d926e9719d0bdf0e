import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectReport } from '../../../../server/core/channels/reports.ts'
import { aVerifiedPatient, BUDGETS, eventually } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import type { Instance } from '../../../support/instance.ts'
import { schedule } from '../../../support/modules/packages.ts'
import { ageReminders } from '../../../support/reminders.ts'
import { anInstanceWithTexting, aTextedBudget, becomes, linkOf, remind, reportTo, setMode, textsTo } from '../../../support/texting.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstanceWithTexting()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())
afterEach(() => setMode(instance, 'on'))

const isAttended = async (id: string) =>
  (await staff.get('/api/v1/budget/attention')).body.data.undelivered.budgets
    .some((listed: { id: string }) => listed.id === id)
/** Every report about this budget's messages has been passed on. */
const areHeard = (id: string) =>
  eventually(async () => (await instance.sql`
    select from core_delivery where name = 'note-delivery' and payload->>'budget_id' = ${id} and status = 'pending'`
  ).length === 0, 'the reports')
const sent = async (fields: object = {}) => {
  const budget = await aTextedBudget(instance, fields as Record<string, unknown>)
  await becomes(instance, budget.id, 'sent')
  return budget
}

describe('the provider’s report', () => {
  test('that a message was delivered is final, and a second one changes nothing', async () => {
    const budget = await sent()
    expect((await reportTo(instance, budget.phone, { state: 'delivered' })).status).toBe(204)
    expect(await becomes(instance, budget.id, 'delivered')).toMatchObject({ delivered_at: expect.any(String) })
    for (const word of [{ state: 'delivered' }, { state: 'failed', reason: 'expired' }]) {
      await reportTo(instance, budget.phone, word)
    }
    await areHeard(budget.id)
    expect(await linkOf(instance, budget.id)).toMatchObject({ delivery: 'delivered', delivery_error: null })
  })

  test('that it failed shows the reason and needs attention, until it is delivered after all', async () => {
    const budget = await sent()
    await reportTo(instance, budget.phone, { state: 'failed', reason: 'The phone was off for two days.' })
    expect(await becomes(instance, budget.id, 'failed')).toMatchObject({
      delivery_error_code: 'not_delivered',
      delivery_error: expect.stringMatching(/did not arrive/),
      delivery_reason: 'The phone was off for two days.'
    })
    expect(await isAttended(budget.id)).toBe(true)
    await reportTo(instance, budget.phone, { state: 'delivered' })
    expect(await becomes(instance, budget.id, 'delivered')).toMatchObject({ delivery_error: null, delivery_reason: null })
    expect(await isAttended(budget.id)).toBe(false)
  })

  test('can arrive before the channel has responded', async () => {
    await setMode(instance, 'quick')
    const budget = await aTextedBudget(instance)
    await becomes(instance, budget.id, 'delivered')
  })

  test('about an earlier message does not affect the one that was sent since', async () => {
    const budget = await sent()
    const [first] = await textsTo(instance, budget.phone)
    await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'texting' })
    await eventually(async () => (await textsTo(instance, budget.phone)).length === 2, 'the second text')
    await becomes(instance, budget.id, 'sent')
    const reports = '/api/v1/public/texting/reports'
    await instance.anonymous().post(reports, { ref: `ref-${first!.id}`, state: 'failed', reason: 'late' })
    await areHeard(budget.id)
    expect(await linkOf(instance, budget.id)).toMatchObject({ delivery: 'sent', delivery_error: null })
  })

  test('with an unknown state is an error of the module, and never a delivery', async () => {
    const budget = await sent()
    expect((await reportTo(instance, budget.phone, { state: 'undelivered' })).status).toBe(500)
    expect((await reportTo(instance, budget.phone, { state: 'failed' })).status).toBe(204)
    expect(await becomes(instance, budget.id, 'failed')).toMatchObject({ delivery_reason: null })
  })

  test('is kept even if its reason can’t be stored as it is', async () => {
    const budget = await sent()
    const reason = `Off\0line \u202E${'x'.repeat(490)}😀😀\uD83D`
    const { db, registry } = instance.runtime.host
    const { ctx } = registry.get('texting')!
    const ref = `ref-${(await textsTo(instance, budget.phone))[0]!.id}`
    await db.transaction(tx => ctx.deliveries.report(tx, { channel: 'texting', ref, state: 'failed', reason }))
    const { delivery_reason } = await becomes(instance, budget.id, 'failed')
    expect(delivery_reason).toBe(`Off line ${'x'.repeat(490)}😀`)
  })

  describe('for a clinic', () => {
    const OTHER = '00000000-0000-4000-8000-000000000000'
    const report = (body: object) => instance.anonymous().post('/api/v1/public/texting/reports', body)

    test('is refused for a message of another clinic, and accepted for one of its own', async () => {
      const budget = await sent()
      const word = { ref: `ref-${(await textsTo(instance, budget.phone))[0]!.id}`, state: 'delivered' }
      expect((await report({ ...word, clinic_id: OTHER })).body).toMatchObject({ status: 403, code: 'foreign_delivery' })
      expect(await linkOf(instance, budget.id)).toMatchObject({ delivery: 'sent' })
      expect((await report({ ...word, clinic_id: instance.clinic.id })).status).toBe(204)
      await becomes(instance, budget.id, 'delivered')
      expect((await report({ ...word, clinic_id: OTHER })).status).toBe(403)
    })

    test.each([null, '', 'Smile'])('is an error of the module if the clinic is %j, and never a delivery', async (clinic_id) => {
      const budget = await sent()
      const word = { ref: `ref-${(await textsTo(instance, budget.phone))[0]!.id}`, state: 'delivered' }
      expect((await report({ ...word, clinic_id })).status).toBe(500)
      expect(await linkOf(instance, budget.id)).toMatchObject({ delivery: 'sent' })
    })

    test('is dropped when a message, unknown until then, turns out to be another clinic’s', async () => {
      const { host } = instance.runtime
      const { ctx } = host.registry.get('budget')!
      const ref = 'a-name-that-both-clinics-use'
      expect((await report({ ref, clinic_id: OTHER, state: 'delivered' })).status).toBe(204)
      const message = {
        id: OTHER, clinic_id: instance.clinic.id, to: '+34600000000', locale: 'en', kind: 'notice' as const, text: 'Hello.'
      }
      const told = { job: 'note-delivery', payload: { budget_id: OTHER } }
      await expectReport(host, { channel: 'texting', ref, message, module: ctx.module, report: told })
      const [row] = await instance.sql`select state, owner ->> 'clinic_id' as clinic from core_channel_message where ref = ${ref}`
      expect(row).toEqual({ state: null, clinic: instance.clinic.id })
      expect((await report({ ref, clinic_id: OTHER, state: 'failed' })).status).toBe(403)
    })
  })

  test('about an unknown message is kept, and with another module’s channel it is foreign_channel', async () => {
    const report = (body: object) => instance.anonymous().post('/api/v1/public/texting/reports', body)
    expect((await report({ ref: 'unheard-of', state: 'delivered' })).status).toBe(204)
    expect((await report({ channel: 'email', ref: 'x', state: 'delivered' })).body)
      .toMatchObject({ status: 500, code: 'foreign_channel' })
  })
})

describe('reminders and notices', () => {
  async function aWeekAgo({ id }: { id: string }) {
    await staff.patch('/api/v1/clinic', {
      reminders: { enabled: true, days: [7], quiet_from: '00:00', quiet_to: '00:00' }
    })
    await ageReminders(instance, '1 year')
    await instance.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update budget set sent_at = now() - interval '7 days 1 hour' where id = ${id}`
      await tx`update budget_link set delivered_at = now() - interval '7 days' where budget_id = ${id}`
    })
  }
  const channels = async (id: string) => (await instance.sql`
    select payload->>'channel' as channel from core_event
    where name = 'budget.reminder_sent' and payload->>'budget_id' = ${id}`).map(({ channel }) => channel)

  test('are sent by the budget’s channel, and a delivered budget is reminded too', async () => {
    const budget = await sent()
    await reportTo(instance, budget.phone, { state: 'delivered' })
    await becomes(instance, budget.id, 'delivered')
    await aWeekAgo(budget)
    await remind(instance)
    const [, reminder] = await eventually(async () => {
      const texts = await textsTo(instance, budget.phone)
      return texts.length === 2 && texts
    }, 'the reminder')
    expect(reminder).toMatchObject({ kind: 'reminder', text: expect.stringMatching(/recordamos su presupuesto/) })
    expect(await channels(budget.id)).toEqual(['texting'])

    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/messages`, { text: '¿Duele?' })
    await staff.post(`${BUDGETS}/${budget.id}/messages`, { text: 'No.' })
    const notice = await eventually(async () => (await textsTo(instance, budget.phone))[2], 'the notice')
    expect(notice).toMatchObject({ kind: 'notice', text: expect.stringMatching(/ha respondido a su pregunta/) })
    expect(notice.text).not.toContain('No.')
  })

  test('wait while the channel is not ready, and stay due until they would be late', async () => {
    const budget = await sent()
    await aWeekAgo(budget)
    await setMode(instance, 'off')
    await remind(instance)
    expect(await channels(budget.id)).toEqual([])
    await setMode(instance, 'on')
    await remind(instance)
    expect(await channels(budget.id)).toEqual(['texting'])
  })

  test('do not go to a changed number until the staff confirm it', async () => {
    const budget = await sent()
    await aWeekAgo(budget)
    await staff.patch(`/api/v1/clinical/patients/${budget.patient_id}`, { phone: '+34699000077' })
    await remind(instance)
    expect(await linkOf(instance, budget.id)).toMatchObject({ delivery: 'sent', delivery_error_code: 'address_changed' })
    expect(await isAttended(budget.id)).toBe(true)
    const resend = (fields: object = {}) =>
      staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'texting', ...fields })
    const refused = await resend()
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'address_changed', sent_to: `•••${budget.phone.slice(-2)}`, address: '+34699000077' }
    })
    expect(refused.body.detail).toContain('The patient’s address for Text message was')
    // The email address has not changed.
    expect((await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'email' })).status).toBe(200)
    await becomes(instance, budget.id, 'sent')
    expect((await resend({ confirm_address: true })).status).toBe(200)
    await eventually(async () => (await textsTo(instance, '+34699000077')).length === 1, 'the text')
    expect((await resend()).status).toBe(200)
  })

  test('store addresses sealed, and these are erased with the patient’s data', async () => {
    const budget = await sent()
    const rows = () => instance.sql`select sealed from budget_link_address where budget_id = ${budget.id}`
    expect(JSON.stringify(await rows())).not.toContain(budget.phone)
    const erased = await staff.post(`/api/v1/clinic/persons/${budget.patient_id}/erase`, { dry_run: false })
    expect([erased.status, await rows()]).toEqual([200, []])
  })
})

describe('a channel that no longer exists', () => {
  test('is named on the budget, whose link can be sent by another channel', async () => {
    const budget = await sent()
    await setMode(instance, 'down')
    await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'texting' })
    await becomes(instance, budget.id, 'failed')
    await schedule(instance, 'uninstall', 'texting')
    await instance.restart()
    staff = await instance.as('admin')
    await eventually(
      async () => (await linkOf(instance, budget.id)).delivery_error_code === 'channel_missing',
      'the missing channel'
    )
    expect((await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'texting' })).body.code).toBe('validation_failed')
    expect((await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'email' })).status).toBe(200)
    await becomes(instance, budget.id, 'sent')

    // Two modules cannot have the same channel name: the second does not start.
    const copyOf = (name: string) => {
      const folder = join(instance.storage, 'modules/node_modules', `svc-module-${name}`)
      cpSync(join(instance.storage, 'modules/node_modules/svc-module-texting'), folder, { recursive: true })
      rmSync(join(folder, 'server/api'), { recursive: true }) // its paths are the first module's
      const file = join(folder, 'package.json')
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('texting', name).replace('"migrations": "migrations"', '"core": "*"'))
    }
    copyOf('semaphore')
    await schedule(instance, 'install', 'semaphore')
    await schedule(instance, 'install', 'texting')
    await instance.restart()
    const states = await instance.sql`
      select name, error_message from core_module where name in ('semaphore', 'texting') and error_message is not null`
    expect(states).toMatchObject([
      { error_message: expect.stringMatching(/registers the channel texting, which belongs to (semaphore|texting)/) }
    ])
  })
})
