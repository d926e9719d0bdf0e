import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPatient, aSentBudget, BUDGETS, eventually, type SentBudget } from '../../../support/builders.ts'
import { createCaller, type Caller } from '../../../support/caller.ts'
import { loadDocuments } from '../../../support/documents/load-documents.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { aMailbox, type Mailbox } from '../../../support/outside/mailbox.ts'
import { ageReminders } from '../../../support/reminders.ts'

let instance: Instance
let mailbox: Mailbox
let staff: Caller

beforeAll(async () => {
  await loadDocuments()
  mailbox = await aMailbox()
  instance = await anInstance({ env: { SVC_SMTP_URL: mailbox.url } })
  staff = await instance.as('admin')
  await instance.sql`
    insert into core_delivery (module_name, kind, name, line, payload, next_attempt_at)
    values ('budget', 'job', 'send-reminders', 'cron:send-reminders', '{}', now() + interval '1 day')`
})
afterAll(async () => {
  await instance.close()
  await mailbox.close()
})

const lettersTo = (address: string) => mailbox.letters.filter(({ to }) => to === address).length
const deliveryOf = async ({ id }: SentBudget) =>
  (await instance.sql`select channel, delivery, delivery_error from budget_link where budget_id = ${id}`)[0]!
const resend = (budget: SentBudget, fields: object = {}) =>
  staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'email', new_link: false, ...fields })
const isSent = (budget: SentBudget) =>
  eventually(async () => (await deliveryOf(budget)).delivery === 'sent', 'delivery')

let made = 0
/** Sent to the patient's first address. Then an import or a person gives the patient another one. */
async function aMovedBudget() {
  const [from, to] = [`rosa${++made}@gil.example`, `kevin${made}@paz.example`]
  const { id } = await aPatient(staff, { first_name: 'Rosa', email: from })
  const budget = await aSentBudget(instance, { patient_id: id }, { channel: 'email' })
  await isSent(budget)
  const { status } = await staff.patch(`/api/v1/clinical/patients/${id}`, { email: to })
  expect(status).toBe(200)
  return { budget, patient_id: id, from, to }
}

test('a link is resent to a changed address only after the staff confirm it', async () => {
  const { budget, from, to } = await aMovedBudget()
  const refused = await resend(budget)
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'address_changed', sent_to: 'r•••@gil.example', address: to }
  })
  expect(refused.body.detail).toContain('r•••@gil.example')
  expect(refused.body.detail).toContain(to)
  expect(JSON.stringify(refused.body)).not.toContain(from)
  expect(await deliveryOf(budget)).toMatchObject({ delivery: 'sent' })
  expect((await resend(budget, { channel: 'manual' })).status).toBe(200)

  expect((await resend(budget, { confirm_address: true })).status).toBe(200)
  await isSent(budget)
  expect([lettersTo(from), lettersTo(to)]).toEqual([1, 1])
  const log = await instance.sql`
    select detail from budget_access_log where budget_id = ${budget.id} and action = 'link_resent' order by seq`
  expect(log.at(-1)!.detail).toMatchObject({ channel: 'email', confirmed_address: true })
  expect((await resend(budget)).status).toBe(200)
})

test('a program cannot confirm a changed address, and does not see it', async () => {
  const { body } = await staff.post('/api/v1/tokens', { name: 'Practice software', scopes: ['budget.write'] })
  const program = createCaller(instance.url, { bearer: body.data.token })
  const { budget, to } = await aMovedBudget()
  const at = `${BUDGETS}/${budget.id}/resend`
  const refused = await program.post(at, { channel: 'email' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'address_changed', address: 'k•••@paz.example' } })
  expect(JSON.stringify(refused.body)).not.toContain(to)
  expect(await program.post(at, { channel: 'email', confirm_address: true }))
    .toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  expect(lettersTo(to)).toBe(0)
})

test('the same address in another case needs no confirmation', async () => {
  const { budget, patient_id, from } = await aMovedBudget()
  await staff.patch(`/api/v1/clinical/patients/${patient_id}`, { email: from.toUpperCase() })
  expect((await resend(budget)).status).toBe(200)
})

test('a reminder does not go to a changed address: the budget needs attention, and the log shows why', async () => {
  await staff.patch('/api/v1/clinic', {
    reminders: { enabled: true, days: [7], quiet_from: '00:00', quiet_to: '00:00' }
  })
  await ageReminders(instance, '1 year')
  const { budget, from, to } = await aMovedBudget()
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update budget set sent_at = now() - interval '7 days 1 hour' where id = ${budget.id}`
    await tx`update budget_link set delivered_at = now() - interval '7 days' where budget_id = ${budget.id}`
  })
  const { definition, ctx } = instance.runtime.host.registry.get('budget')!
  const remind = () => definition.jobs!['send-reminders']!.run({}, ctx, { attempt: 1 })
  for (let time = 0; time < 2; time++) await remind()
  expect(await deliveryOf(budget)).toMatchObject({ delivery: 'sent', delivery_error: 'address_changed' })
  const { undelivered } = (await staff.get('/api/v1/budget/attention')).body.data
  expect(undelivered.budgets).toContainEqual(
    expect.objectContaining({ id: budget.id, delivery_error_code: 'address_changed' })
  )
  const { data: log } = (await staff.get(`${BUDGETS}/${budget.id}/access-log`)).body
  expect(log.filter((row: any) => row.action === 'link_resent')).toMatchObject([
    { success: false, actor: 'system', detail: { days: 7, reason: 'address_changed' } }
  ])
  expect([lettersTo(from), lettersTo(to)]).toEqual([1, 0])

  expect((await resend(budget, { confirm_address: true })).status).toBe(200)
  await eventually(async () => lettersTo(to) === 1, 'the link at the new address')
  await isSent(budget)
  expect((await staff.get('/api/v1/budget/attention')).body.data.undelivered.budgets)
    .not.toContainEqual(expect.objectContaining({ id: budget.id }))
  await instance.sql`update budget_link set delivered_at = now() - interval '1 day' where budget_id = ${budget.id}`
  for (let time = 0; time < 2; time++) await remind()
  await eventually(async () => lettersTo(to) === 2, 'the reminder that was held')
  expect(await instance.sql`select days from budget_reminder where budget_id = ${budget.id}`).toEqual([{ days: 7 }])
})

test('a reminder that was queued before the address changed is held back too, and due again', async () => {
  const { budget, to } = await aMovedBudget()
  const message_id = crypto.randomUUID()
  const clinic_id = instance.clinic.id
  await instance.sql`insert into budget_reminder (budget_id, clinic_id, days, message_id) values (${budget.id}, ${clinic_id}, 7, ${message_id})`
  await instance.sql`update budget_link set message_id = ${message_id} where budget_id = ${budget.id}`
  const { definition, ctx } = instance.runtime.host.registry.get('budget')!
  const job = { clinic_id, id: budget.id, kind: 'again', message: null, message_id, automatic: true }
  await definition.jobs!['deliver-link']!.run(job, ctx, { attempt: 1 })
  expect(lettersTo(to)).toBe(0)
  expect(await deliveryOf(budget)).toMatchObject({ delivery: 'sent', delivery_error: 'address_changed' })
  expect([...await instance.sql`select from budget_reminder where budget_id = ${budget.id}`]).toEqual([])
})

/** An earlier release did not store the address. */
const forgetAddress = (budget: SentBudget) =>
  instance.sql`delete from budget_link_address where budget_id = ${budget.id}`

test('a link that an earlier release sent needs confirmation if any data of the patient changed since', async () => {
  const { budget, to } = await aMovedBudget()
  await forgetAddress(budget)
  const refused = await resend(budget)
  expect(refused).toMatchObject({ status: 409, body: { code: 'address_changed', sent_to: '•••', address: to } })
  expect(refused.body.detail).toContain('not known which address')
  expect((await resend(budget, { confirm_address: true })).status).toBe(200)
  await eventually(async () => lettersTo(to) === 1, 'the link')
  expect((await resend(budget)).status).toBe(200)
})

test('a link that an earlier release sent needs no confirmation if the patient is unchanged, or it was handed over', async () => {
  const { id } = await aPatient(staff, { first_name: 'Rosa', email: 'rosa@same.example' })
  const budget = await aSentBudget(instance, { patient_id: id }, { channel: 'email' })
  await isSent(budget)
  await forgetAddress(budget)
  expect((await resend(budget)).status).toBe(200)

  const handed = await aSentBudget(instance, { patient_id: id }, { channel: 'manual' })
  await staff.patch(`/api/v1/clinical/patients/${id}`, { email: 'rosa@new.example' })
  expect((await resend(handed)).status).toBe(200)
})

test('the address that the previous release stored with the link is used until the link is sent again', async () => {
  const { budget, from, to } = await aMovedBudget()
  await instance.sql`
    update budget_link set sent_to_sealed = (select sealed from budget_link_address where budget_id = ${budget.id})
    where budget_id = ${budget.id}`
  await forgetAddress(budget)
  expect(await resend(budget)).toMatchObject({ status: 409, body: { sent_to: expect.stringMatching(/^r•••/), address: to } })
  expect((await resend(budget, { confirm_address: true })).status).toBe(200)
  await isSent(budget)
  expect((await resend(budget)).status).toBe(200)
  expect(lettersTo(from)).toBe(1)
})

test('no notice of an answer to a question is sent to a changed address', async () => {
  const { budget, to } = await aMovedBudget()
  const { definition, ctx } = instance.runtime.host.registry.get('budget')!
  const notice = { clinic_id: instance.clinic.id, id: budget.id, message_id: crypto.randomUUID() }
  await definition.jobs!['notify-answer']!.run(notice, ctx, { attempt: 1 })
  expect(lettersTo(to)).toBe(0)
  expect(await deliveryOf(budget)).toMatchObject({ delivery: 'sent', delivery_error: 'address_changed' })
})

const needsAttention = async ({ id }: SentBudget) => {
  const { undelivered } = (await staff.get('/api/v1/budget/attention')).body.data
  return undelivered.budgets.some((listed: { id: string }) => listed.id === id)
}
const hold = ({ id }: SentBudget) =>
  instance.sql`update budget_link set delivery_error = 'address_changed' where budget_id = ${id}`

test('a budget needs no attention once the patient has the address again to which the link was sent', async () => {
  const { budget, patient_id, from } = await aMovedBudget()
  await hold(budget)
  const { definition, ctx } = instance.runtime.host.registry.get('budget')!
  const run = () => definition.jobs!['send-reminders']!.run({}, ctx, { attempt: 1 })
  await run()
  expect(await needsAttention(budget)).toBe(true)
  await staff.patch(`/api/v1/clinical/patients/${patient_id}`, { email: from })
  await run()
  expect(await needsAttention(budget)).toBe(false)
  expect(await deliveryOf(budget)).toMatchObject({ delivery: 'sent', delivery_error: null })
})

test('a budget that was decided needs no attention for a changed address', async () => {
  const { budget } = await aMovedBudget()
  await hold(budget)
  expect(await needsAttention(budget)).toBe(true)
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update budget set status = 'rejected', decided_at = now() where id = ${budget.id}`
  })
  expect(await needsAttention(budget)).toBe(false)
})

test('the address is stored sealed, and erased with the patient’s data', async () => {
  const { budget, patient_id, from } = await aMovedBudget()
  const sealed = async (id: string) =>
    (await instance.sql`select sealed from budget_link_address where budget_id = ${id}`)[0]?.sealed ?? null
  expect(await sealed(budget.id)).not.toContain(from)
  await instance.sql`update budget_link_address set sealed = 'altered' where budget_id = ${budget.id}`
  expect(await resend(budget)).toMatchObject({ status: 409, body: { code: 'address_changed', sent_to: '•••' } })
  expect((await staff.post(`/api/v1/clinic/persons/${patient_id}/erase`, { dry_run: false })).status).toBe(200)
  expect(await sealed(budget.id)).toBeNull()
})
