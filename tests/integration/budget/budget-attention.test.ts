import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'

const ATTENTION = '/api/v1/budget/attention'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  await loadDocuments()
  instance = await anInstance({ env: { SVC_SMTP_URL: 'smtp://127.0.0.1:1' } })
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const attention = async () => (await staff.get(ATTENTION)).body.data
const listed = async (kind: string) =>
  (await staff.get(`${BUDGETS}?attention=${kind}`)).body.data.map((row: { id: string }) => row.id)
const today = new Date()
const inDays = (days: number) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)

/** Changes rows in ways that the database's guards would refuse. */
async function move(change: (sql: Instance['sql']) => PromiseLike<unknown>) {
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await change(tx as unknown as Instance['sql'])
  })
}

test('an empty clinic has no budget that needs attention', async () => {
  const nothing = { total: 0, budgets: [] }
  expect(await attention()).toEqual({
    question: nothing,
    expiring: nothing,
    locked: nothing,
    undelivered: nothing,
    pdf_pending: nothing,
    withdrawn_invoiced: nothing,
    withdrawn_paid: nothing
  })
})

test('open budgets that end within 7 days are expiring, listed by their end', async () => {
  const later = await aSentBudget(instance, { valid_until: inDays(5) })
  const soon = await aSentBudget(instance, { valid_until: inDays(2) })
  await aSentBudget(instance, { valid_until: inDays(9) })
  await aDraft(instance, { valid_until: inDays(2) })
  const over = await aSentBudget(instance, { valid_until: inDays(3) })
  await move(sql => sql`update budget set expires_at = now() - interval '1 second' where id = ${over.id}`)
  const rejected = await aSentBudget(instance, { valid_until: inDays(2) })
  await (await aVerifiedPatient(instance, rejected)).post(`${rejected.base}/reject`, { reason: 'No' })
  const { expiring } = await attention()
  expect([expiring.total, expiring.budgets.map((row: { id: string }) => row.id)]).toEqual([2, [soon.id, later.id]])
  expect(await listed('expiring')).toEqual([soon.id, later.id])
})

test('a link is listed as locked while it is locked', async () => {
  const budget = await aSentBudget(instance)
  await instance.sql`update budget_link set locked_until = now() + interval '1 minute' where budget_id = ${budget.id}`
  const past = await aSentBudget(instance)
  await instance.sql`update budget_link set locked_until = now() - interval '1 minute' where budget_id = ${past.id}`
  expect((await attention()).locked).toMatchObject({ total: 1, budgets: [{ id: budget.id, locked: true }] })
  expect(await listed('locked')).toEqual([budget.id])
})

test('a budget whose last message failed is undelivered, until it is handed over or cancelled', async () => {
  const [one, other] = [
    await aSentBudget(instance, {}, { channel: 'email' }),
    await aSentBudget(instance, {}, { channel: 'email' })
  ]
  await eventually(async () => (await attention()).undelivered.total === 2, 'failures')
  expect((await attention()).undelivered.budgets[0]).toMatchObject({
    id: other.id,
    delivery: 'failed',
    delivery_error_code: 'server_unreachable'
  })
  expect(await listed('undelivered')).toEqual([other.id, one.id])
  await staff.post(`${BUDGETS}/${one.id}/resend`, { channel: 'manual' })
  await staff.post(`${BUDGETS}/${other.id}/cancel`, {})
  expect((await attention()).undelivered.total).toBe(0)
})

test('a budget past its validity is not undelivered, even before the job has run', async () => {
  const over = await aSentBudget(instance, {}, { channel: 'email' })
  await eventually(async () => (await listed('undelivered')).includes(over.id), 'the failure')
  await move(sql => sql`update budget set expires_at = now() - interval '1 second' where id = ${over.id}`)
  // The job skips locked rows.
  await instance.sql.begin(async (tx) => {
    expect(await tx`select status from budget where id = ${over.id} for update`).toEqual([{ status: 'sent' }])
    expect((await attention()).undelivered.total).toBe(0)
    expect(await listed('undelivered')).toEqual([])
  })
})

test('a budget whose signed PDF is late or failed is listed as pending', async () => {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  await patient.post(`${budget.base}/accept`, ACCEPTANCE)
  await eventually(async () => (await patient.get(budget.base)).body.data.signed_pdf.status === 'ready', 'signed PDF')
  await move(
    sql =>
      sql`update budget set signed_pdf_status = 'pending', signed_pdf_sha256 = null, decided_at = now() where id = ${budget.id}`
  )
  expect((await attention()).pdf_pending.total).toBe(0)
  await move(sql => sql`update budget set decided_at = now() - interval '61 seconds' where id = ${budget.id}`)
  expect((await attention()).pdf_pending).toMatchObject({
    total: 1,
    budgets: [{ id: budget.id, signed_pdf: { status: 'pending' } }]
  })
  await move(async (sql) => {
    await sql`update budget set decided_at = now() where id = ${budget.id}`
    await sql`update budget_access_log set action = 'signed_pdf_error' where budget_id = ${budget.id} and action = 'signed_pdf_ready'`
  })
  expect(await listed('pdf_pending')).toEqual([budget.id])
})

test('five of each kind are shown and all are counted, and the filter can be combined with the others', async () => {
  for (let i = 0; i < 4; i++) await aSentBudget(instance, { valid_until: inDays(6) })
  const { expiring } = await attention()
  expect([expiring.total, expiring.budgets.length]).toEqual([6, 5])
  const { body } = await staff.get(`${BUDGETS}?attention=expiring&page_size=2&page=2&sort=valid_until&search=munoz`)
  expect([body.data.length, body.total, body.total_is_exact, body.counts.sent]).toEqual([2, 6, true, 6])
  expect((await staff.get(`${BUDGETS}?attention=expiring&status=accepted`)).body.total).toBe(0)
  expect((await staff.get(`${BUDGETS}?attention=late`)).status).toBe(422)
})

test('another clinic sees none of these budgets, and a member without budget.read gets 403', async () => {
  const stranger = await instance.as('admin', await instance.anotherClinic())
  const { body } = await stranger.get(ATTENTION)
  expect(Object.values<{ total: number }>(body.data).map(({ total }) => total)).toEqual([0, 0, 0, 0, 0, 0, 0])
  expect((await instance.anonymous().get(ATTENTION)).status).toBe(401)
})
