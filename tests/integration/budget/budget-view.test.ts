import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE,
  aDraft,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  BUDGETS,
  type SentBudget
} from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const logOf = async (id: string) =>
  instance.sql`select action, success, actor, detail from budget_access_log where budget_id = ${id} order by seq`

describe('the session', () => {
  test('opens no other budget', async () => {
    const [one, other] = [await aSentBudget(instance), await aSentBudget(instance)]
    const patient = await aVerifiedPatient(instance, one)
    const { value } = [...patient.cookies.values()][0]!
    const answer = await instance.anonymous().get(other.base, { headers: { cookie: `budget_session=${value}` } })
    expect(answer.body).toMatchObject({ status: 401, code: 'code_required' })
  })

  test.each([
    ['after 30 minutes without use', 'last_used_at', '30 minutes 1 second'],
    ['after 2 hours', 'created_at', '2 hours 1 second']
  ])('ends %s', async (_, column, age) => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await instance.sql`update budget_session set ${instance.sql(column)} = now() - ${age}::interval where budget_id = ${budget.id}`
    expect((await patient.get(budget.base)).body).toMatchObject({ status: 401, code: 'code_required' })
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).body).toMatchObject({
      status: 401,
      code: 'code_required'
    })
  })

  test('is extended by each use, which is stored at most once a minute and not by HEAD', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const lastUse = async () =>
      (
        await instance.sql`select extract(epoch from now() - last_used_at)::int as age from budget_session where budget_id = ${budget.id}`
      )[0]!.age
    await instance.sql`update budget_session set last_used_at = now() - interval '40 seconds' where budget_id = ${budget.id}`
    await patient.get(budget.base)
    expect(await lastUse()).toBeGreaterThanOrEqual(40)
    await instance.sql`update budget_session set last_used_at = now() - interval '29 minutes' where budget_id = ${budget.id}`
    await patient.head(budget.base)
    expect(await lastUse()).toBeGreaterThan(1000)
    await patient.get(budget.base)
    expect(await lastUse()).toBeLessThan(60)
  })

  test.each([
    [
      'the code changes',
      (budget: SentBudget) => staff.post(`${BUDGETS}/${budget.id}/set-public-code`, { generate: true }),
      401
    ],
    [
      'a new link is created',
      (budget: SentBudget) => staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true }),
      404
    ],
    ['the patient closes it', (budget: SentBudget, patient: Caller) => patient.delete(`${budget.base}/session`), 401]
  ])('ends at once when %s', async (_, end, status) => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const cookie = `budget_session=${[...patient.cookies.values()][0]!.value}`
    expect((await end(budget, patient)).status).toBeLessThan(300)
    expect((await instance.anonymous().get(budget.base, { headers: { cookie } })).status).toBe(status)
    expect((await instance.anonymous().post(`${budget.base}/accept`, ACCEPTANCE, { headers: { cookie } })).status).toBe(
      status
    )
  })

  test('can be closed by its owner: 204, the cookie is removed, and the log has a row', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const { status, headers } = await patient.delete(`${budget.base}/session`)
    expect(status).toBe(204)
    expect(headers.getSetCookie()[0]).toMatch(/^budget_session=;.*Max-Age=0/)
    expect((await logOf(budget.id)).at(-1)).toMatchObject({ action: 'session_closed', actor: 'patient' })
  })

  test('cannot be used by another site', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const foreign = await patient.post(`${budget.base}/accept`, ACCEPTANCE, {
      headers: { origin: 'https://evil.test' }
    })
    expect(foreign.body).toMatchObject({ status: 403, code: 'cross_origin' })
  })
})

describe('viewing a budget', () => {
  const KEYS = [
    'number',
    'version',
    'status',
    'clinic',
    'patient',
    'professional',
    'currency',
    'locale',
    'time_zone',
    'valid_until',
    'expires_at',
    'items',
    'totals',
    'patient_notes',
    'viewed_at',
    'decision',
    'signed_pdf',
    'content_digest'
  ].sort()

  test('returns the specified fields and nothing else, before and after the decision', async () => {
    const budget = await aSentBudget(instance, {
      items: [{ treatment_id: (await aTreatment(await instance.as('admin'))).id, tooth: '16', notes: 'INTERNAL LINE' }],
      internal_notes: 'INTERNAL',
      patient_notes: 'For you'
    })
    const patient = await aVerifiedPatient(instance, budget)
    const open = await patient.get(budget.base)
    await patient.post(`${budget.base}/reject`, { reason: 'Too dear', reason_code: 'price' })
    const decided = await patient.get(budget.base)
    for (const { body, bytes } of [open, decided]) {
      expect(Object.keys(body)).toEqual(['data'])
      expect(Object.keys(body.data).sort()).toEqual([...KEYS, 'tooth_notation'].sort())
      expect(Object.keys(body.data.clinic).sort()).toEqual(['address', 'email', 'logo_url', 'name', 'phone'])
      expect(Object.keys(body.data.patient)).toEqual(['first_name', 'last_name'])
      expect(Object.keys(body.data.professional)).toEqual(['name'])
      expect(Object.keys(body.data.items[0]).sort()).toEqual([
        'area',
        'description',
        'discounted',
        'name',
        'original_price',
        'price',
        'quantity',
        'site',
        'surfaces',
        'teeth',
        'tooth'
      ])
      expect(Object.keys(body.data.totals).sort()).toEqual(['discount', 'original', 'tax', 'total'])
      expect(Object.keys(body.data.signed_pdf).sort()).toEqual(['sha256', 'status'])
      expect(bytes.toString()).not.toMatch(/INTERNAL|127\.0\.0\.1|lucia@/)
    }
    expect(open.body.data).toMatchObject({
      status: 'sent',
      decision: null,
      patient_notes: 'For you',
      totals: { total: '121.00' }
    })
    expect(decided.body.data.decision).toEqual({
      status: 'rejected',
      decided_at: expect.any(String),
      signer_name: 'Lucía Muñoz',
      reason: 'Too dear'
    })
  })

  test('shows the note of a line below it, as part of what the patient decides on', async () => {
    const { id } = await aTreatment(await instance.as('admin'))
    const budget = await aSentBudget(instance, { items: [{ treatment_id: id, note: 'Metal-free' }, { treatment_id: id }] })
    const patient = await aVerifiedPatient(instance, budget)
    const { body } = await patient.get(budget.base)
    expect(body.data.items.map((item: { note?: string }) => item.note)).toEqual(['Metal-free', undefined])
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
    const [record] = await instance.sql`select content, content_digest from budget_signature where budget_id = ${budget.id}`
    expect(record!.content_digest).toBe(body.data.content_digest)
    expect(JSON.parse(record!.content).items).toMatchObject([{ note: 'Metal-free' }, {}])
    expect(record!.content.match(/"note"/g)).toHaveLength(1)
  })

  test('names the treatments in the reader\'s language; an unknown one is 422', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.get(budget.base)).body.data.items[0].name).toBe('Empaste')
    expect((await patient.get(`${budget.base}?locale=en`)).body.data.items[0].name).toBe('Filling')
    expect((await patient.get(`${budget.base}?locale=xx`)).status).toBe(422)
    expect((await patient.get(`${budget.base}?lang=en`)).status).toBe(422)
  })

  test('is stamped and published once, even if many first reads come at once; each session is logged', async () => {
    const budget = await aSentBudget(instance)
    const [one, two] = [await aVerifiedPatient(instance, budget), await aVerifiedPatient(instance, budget)]
    await one.head(budget.base)
    await one.get(budget.base, { headers: { 'sec-purpose': 'prefetch' } })
    expect((await instance.sql`select viewed_at from budget where id = ${budget.id}`)[0]!.viewed_at).toBeNull()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? one : two).get(budget.base)))
    const stamps = new Set(answers.map(({ body }) => body.data.viewed_at))
    expect([...stamps]).toEqual([expect.stringMatching(/Z$/)])
    const events
      = await instance.sql`select payload from core_event where name = 'budget.viewed' and payload->>'budget_id' = ${budget.id}`
    expect(events).toHaveLength(1)
    expect(events[0]!.payload).toMatchObject({ viewed_at: [...stamps][0], budget_number: budget.number, version: 1 })
    const rows = await logOf(budget.id)
    expect(rows.filter(row => row.action === 'viewed')).toHaveLength(1)
    expect(rows.filter(row => row.action === 'read')).toHaveLength(2)
  })

  test('by the staff has no effect', async () => {
    const budget = await aSentBudget(instance)
    const before = (await logOf(budget.id)).length
    const { body, status } = await staff.get(`${BUDGETS}/${budget.id}/preview?locale=en`)
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(KEYS)
    expect(body.data).toMatchObject({ viewed_at: null, items: [{ name: 'Filling' }] })
    expect(await logOf(budget.id)).toHaveLength(before)
    const draft = await aDraft(instance)
    expect((await staff.get(`${BUDGETS}/${draft.id}/preview`)).body.data).toMatchObject({
      status: 'draft',
      expires_at: null
    })
  })
})
