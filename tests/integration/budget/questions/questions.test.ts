import { randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_QUESTIONS } from '../../../../layers/budget/server/services/messages/ask-question.ts'
import {
  ACCEPTANCE,
  aDraft,
  aPatient,
  aSentBudget,
  aVerifiedPatient,
  BUDGETS,
  eventually,
  type SentBudget
} from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { loadDocuments } from '../../../support/documents/load-documents.ts'
import { budgetCtx, sealNow, verify, whileChanged } from '../../../support/logs.ts'
import { aMailbox, type Mailbox } from '../../../support/outside/mailbox.ts'

const QUESTION = 'Does the crown hurt?\nI am afraid of needles.'

let instance: Instance
let mailbox: Mailbox
let staff: Caller

beforeAll(async () => {
  await loadDocuments()
  mailbox = await aMailbox()
  instance = await anInstance({ env: { SVC_SMTP_URL: mailbox.url } })
  staff = await instance.as('admin')
})
afterAll(async () => {
  await instance.close()
  await mailbox.close()
})

const ask = (patient: Caller, { base }: SentBudget, text: unknown = QUESTION) => patient.post(`${base}/messages`, { text })
const thread = async ({ id }: { id: string }) => (await staff.get(`${BUDGETS}/${id}/messages`)).body.data
const answer = (id: string, text = 'Not at all.') => staff.post(`${BUDGETS}/${id}/messages`, { text })
const waiting = async () =>
  (await staff.get('/api/v1/budget/attention')).body.data.question.budgets.map(({ id }: { id: string }) => id)
const events = (id: string, name: string) =>
  instance.sql`select payload from core_event where name = ${name} and payload->>'budget_id' = ${id}`

describe('a question', () => {
  test('is on the attention list, in the thread and in the mail to the author, until it is answered', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const asked = await ask(patient, budget, `  ${QUESTION}  `)
    expect([asked.status, asked.body.data]).toEqual([
      201,
      { id: expect.any(String), from: 'patient', text: QUESTION, at: expect.any(String) }
    ])
    expect(await waiting()).toContain(budget.id)
    expect((await staff.get(`${BUDGETS}?attention=question&search=${budget.number}`)).body.data).toMatchObject([
      { id: budget.id, status: 'sent', open_question: true }
    ])
    expect((await staff.get(`${BUDGETS}/${budget.id}`)).body.data).toMatchObject({ status: 'sent', open_questions: 1 })
    expect(await thread(budget)).toMatchObject([{ from: 'patient', text: QUESTION, by: null, read_at: null }])
    const letter = await eventually(
      async () => mailbox.with(`${instance.url}/budgets/${budget.id}`)[0],
      'the notice to the staff'
    )
    expect(letter.subject).toContain(budget.number)
    for (const part of [letter.subject, letter.text, letter.html]) expect(part).not.toMatch(/crown|needles|Luc[ií]a/)

    const answered = await answer(budget.id)
    expect([answered.status, answered.body.data]).toMatchObject([
      201,
      { from: 'clinic', text: 'Not at all.', by: { id: expect.any(String), name: expect.any(String) } }
    ])
    expect(await waiting()).not.toContain(budget.id)
    expect((await thread(budget))[0].read_at).toEqual(expect.any(String))
    const seen = (await patient.get(`${budget.base}/messages`)).body.data
    expect(seen).toEqual([
      { id: asked.body.data.id, from: 'patient', text: QUESTION, at: expect.any(String) },
      { id: answered.body.data.id, from: 'clinic', text: 'Not at all.', at: expect.any(String) }
    ])
    const notice = await eventually(async () => mailbox.with(budget.url)[0], 'the notice to the patient')
    expect(notice.to).toBe('lucia@patient.test')
    for (const part of [notice.subject, notice.text, notice.html]) expect(part).not.toMatch(/Not at all|crown/)
  })

  test('publishes events without its text', async () => {
    const budget = await aSentBudget(instance)
    await ask(await aVerifiedPatient(instance, budget), budget)
    await answer(budget.id)
    const [asked] = await events(budget.id, 'budget.question_asked')
    const [answered] = await events(budget.id, 'budget.question_answered')
    expect(asked!.payload).toMatchObject({ budget_number: budget.number, message_id: expect.any(String) })
    expect(answered!.payload).toMatchObject({ message_id: expect.any(String), answered_by: expect.any(String) })
    expect(JSON.stringify([asked, answered])).not.toMatch(/crown|Not at all/)
  })

  test('needs no attention after it was marked as read', async () => {
    const budget = await aSentBudget(instance)
    await ask(await aVerifiedPatient(instance, budget), budget)
    expect((await staff.post(`${BUDGETS}/${budget.id}/messages/read`)).status).toBe(204)
    expect(await waiting()).not.toContain(budget.id)
    expect(await thread(budget)).toMatchObject([{ from: 'patient', read_at: expect.any(String) }])
    expect((await staff.post(`${BUDGETS}/${budget.id}/messages/read`)).status).toBe(204)
  })

  test('that came after the clinic loaded the thread stays open when the thread is answered or marked', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const seen = (await ask(patient, budget)).body.data.id
    await ask(patient, budget, 'And the bill?')
    const open = async () => (await staff.get(`${BUDGETS}/${budget.id}`)).body.data.open_questions
    // A screen that was loaded before the first question.
    expect((await staff.post(`${BUDGETS}/${budget.id}/messages`, { text: 'Hello.', seen: null })).status).toBe(201)
    expect(await open()).toBe(2)
    expect((await staff.post(`${BUDGETS}/${budget.id}/messages`, { text: 'No.', seen })).status).toBe(201)
    expect(await open()).toBe(1)
    expect(await waiting()).toContain(budget.id)
    expect((await staff.post(`${BUDGETS}/${budget.id}/messages/read`, { seen: randomUUID() })).status).toBe(204)
    expect(await open()).toBe(1)
    const last = (await thread(budget)).at(-1).id
    expect((await staff.post(`${BUDGETS}/${budget.id}/messages/read`, { seen: last })).status).toBe(204)
    expect(await open()).toBe(0)
  })

  test('doesn\'t change the state, and is possible on decided and closed versions', async () => {
    const decided = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, decided)
    await patient.post(`${decided.base}/reject`, { reason_code: 'price' })
    expect((await ask(patient, decided)).status).toBe(201)
    const cancelled = await aSentBudget(instance)
    const other = await aVerifiedPatient(instance, cancelled)
    await staff.post(`${BUDGETS}/${cancelled.id}/cancel`, {})
    expect((await ask(other, cancelled)).status).toBe(201)
    for (const [{ id }, status] of [[decided, 'rejected'], [cancelled, 'cancelled']] as const)
      expect((await staff.get(`${BUDGETS}/${id}`)).body.data).toMatchObject({ status, open_questions: 1 })
  })

  test('without a session is refused', async () => {
    const budget = await aSentBudget(instance)
    expect((await ask(instance.anonymous(), budget)).body.code).toBe('code_required')
    expect((await instance.anonymous().get(`${budget.base}/messages`)).body.code).toBe('code_required')
  })

  test.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['more than 1,000 UTF-16 units', '𝒜'.repeat(501)],
    ['characters that change the direction of the text', 'a\u202Eb'],
    ['no text', 5]
  ])('is 422 with %s', async (_, text) => {
    const budget = await aSentBudget(instance)
    const refused = await ask(await aVerifiedPatient(instance, budget), budget, text)
    expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([422, '/text'])
    expect(await thread(budget)).toEqual([])
  })

  test('can have 1,000 units', async () => {
    const budget = await aSentBudget(instance)
    expect((await ask(await aVerifiedPatient(instance, budget), budget, '𝒜'.repeat(500))).status).toBe(201)
  })

  test('is one of at most ten in any 24 hours by one link, even if many come at once', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const answers = await Promise.all(Array.from({ length: 15 }, (_, index) => ask(patient, budget, `Question ${index}`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_QUESTIONS)
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.body.code).toBe('too_many_requests')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect((await thread(budget)).map(({ from }: { from: string }) => from)).toEqual(
      Array.from({ length: MAX_QUESTIONS }, () => 'patient')
    )
    await instance.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update budget_message set at = at - interval '1 day' where budget_id = ${budget.id} and seq = 1`
    })
    expect((await ask(patient, budget)).status).toBe(201)
    expect((await ask(patient, budget)).status).toBe(429)
  })
})

describe('a thread', () => {
  test('is shared by all versions of a number', async () => {
    const budget = await aSentBudget(instance)
    await ask(await aVerifiedPatient(instance, budget), budget)
    const { id } = (await staff.post(`${BUDGETS}/${budget.id}/revise`)).body.data
    await answer(id, 'I have made a new version.')
    await staff.post(`${BUDGETS}/${id}/send`, { channel: 'manual', code: '482913' })
    expect(await thread({ id })).toMatchObject([
      { text: QUESTION, version_id: budget.id },
      { text: 'I have made a new version.', version_id: budget.id }
    ])
    expect(await thread(budget)).toHaveLength(2)
  })

  test('is not shown to another patient of a later draft of the number', async () => {
    const budget = await aSentBudget(instance)
    await ask(await aVerifiedPatient(instance, budget), budget)
    const { id } = (await staff.post(`${BUDGETS}/${budget.id}/revise`)).body.data
    const other = await aPatient(staff, { first_name: 'Otto' })
    await staff.patch(`${BUDGETS}/${id}`, { patient_id: other.id })
    expect(await thread({ id })).toEqual([])
    expect((await answer(id)).body.code).toBe('wrong_state')
  })

  test('begins only when the budget was sent', async () => {
    expect((await answer((await aDraft(instance)).id)).body.code).toBe('wrong_state')
  })

  test('is part of the evidence, the export and the erasure, but not of the signed content', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await ask(patient, budget)
    await answer(budget.id)
    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    await sealNow(instance, budget.id)
    const { patient_id } = (await staff.get(`${BUDGETS}/${budget.id}`)).body.data
    const evidence = async () =>
      unzipSync((await staff.get(`${BUDGETS}/${budget.id}/evidence`)).bytes)
    const files = await evidence()
    expect(JSON.parse(strFromU8(files['messages.json']!))).toMatchObject({
      number: budget.number,
      whole: true,
      messages: [{ from: 'patient', text: QUESTION }, { from: 'clinic', text: 'Not at all.' }]
    })
    expect(strFromU8(files['content.json']!)).not.toContain('crown')

    const exported = await staff.get(`/api/v1/clinic/persons/${patient_id}/export`)
    expect(strFromU8(unzipSync(exported.bytes)['export.json']!)).toContain('afraid of needles')
    await staff.post(`/api/v1/clinic/persons/${patient_id}/erase`, { dry_run: false })
    expect(await instance.sql`select from budget_message where budget_id = ${budget.id}`).toHaveLength(0)
    expect(JSON.parse(strFromU8((await evidence())['messages.json']!)).messages).toMatchObject([
      { from: 'patient', text: null },
      { from: 'clinic', text: null }
    ])
    expect((await verify(instance, budget.id)).text).toContain('All hold.')
  })

  test('is checked: a change, an addition or a removal by SQL is found', async () => {
    const budget = await aSentBudget(instance)
    await ask(await aVerifiedPatient(instance, budget), budget)
    await expect(
      instance.sql`update budget_message set text = 'x' where budget_id = ${budget.id}`.then(() => null)
    ).rejects.toThrow(/is immutable/)
    const changes = [
      sql`update budget_message set text = 'x' where budget_id = ${budget.id}::uuid`,
      sql`update budget_message set "from" = 'clinic' where budget_id = ${budget.id}::uuid`,
      sql`delete from budget_message where budget_id = ${budget.id}::uuid`,
      sql`insert into budget_message select gen_random_uuid(), clinic_id, number, budget_id, patient_id, 2, 'patient',
        null, 'I accept.', at, null, seal from budget_message where budget_id = ${budget.id}::uuid`
    ]
    for (const change of changes) {
      const found = await whileChanged(budgetCtx(instance), {
        which: { id: budget.id },
        change: async (tx) => {
          await tx.execute(sql`set local session_replication_role = replica`)
          await tx.execute(change)
        }
      })
      expect(found).toMatchObject([{ code: 'message_changed' }])
    }
  })
})
