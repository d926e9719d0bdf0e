import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aPatient, aVerifiedPatient, BUDGETS } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { verify } from '../../../support/logs.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const SETTINGS = '/api/v1/clinic/settings/budget'
const DEPOSIT = {
  id: 'deposit',
  title: { es: 'Señal', en: 'Deposit' },
  text: { es: 'Se paga el 30 %.', en: '30 % are due.' },
  by_default: true
}
const LATE = { id: 'late', title: { es: 'Citas' }, text: { es: 'Avise antes.' }, by_default: false }
const save = (clauses: unknown) => staff.patch(SETTINGS, { clauses })
afterEach(() => save([]))

const send = (id: string) => staff.post(`${BUDGETS}/${id}/send`, { channel: 'manual', code: '482913' })
const detail = async (id: string) => (await staff.get(`${BUDGETS}/${id}`)).body.data
const idsOf = async (id: string) => ((await detail(id)).clauses ?? []).map((clause: { id: string }) => clause.id)

describe('the setting', () => {
  test('has up to five conditions, each in the same languages for title and text', async () => {
    expect((await save([DEPOSIT, LATE])).status).toBe(200)
    expect((await staff.get(SETTINGS)).body.data.clauses).toEqual([DEPOSIT, LATE])
    const six = Array.from({ length: 6 }, (_, index) => ({ ...LATE, id: `c${index}` }))
    for (const wrong of [
      six,
      [LATE, LATE],
      [{ ...LATE, title: {}, text: {} }],
      [{ ...LATE, title: { en: 'Visits' } }],
      [{ ...LATE, text: { es: 'x'.repeat(2001) } }],
      [{ ...LATE, id: 'Late!' }]
    ]) expect((await save(wrong)).status).toBe(422)
  })

  test('is readable for members who write budgets and can’t change it', async () => {
    await save([DEPOSIT])
    const dentist = await instance.as('dentist')
    expect((await dentist.get('/api/v1/auth/screen')).body.data.settings.budget.clauses).toEqual([DEPOSIT])
    expect((await dentist.patch(SETTINGS, { clauses: [] })).status).toBe(403)
  })
})

describe('a draft', () => {
  test('is sent with the conditions that are on by default, unless it has its own choice', async () => {
    await save([DEPOSIT, LATE])
    const { id, clause_ids } = await aDraft(instance)
    expect(clause_ids).toBe(null)
    await send(id)
    expect((await detail(id)).clauses).toEqual([
      { module: 'budget', id: 'deposit', title: 'Señal', text: 'Se paga el 30 %.' }
    ])
  })

  test.each([[['late']], [['late', 'deposit']], [[]]])('has the chosen conditions %j, in the order of the setting', async (clause_ids) => {
    await save([DEPOSIT, LATE])
    const draft = await aDraft(instance, { clause_ids })
    expect(draft.clause_ids).toEqual(clause_ids)
    await send(draft.id)
    expect(await idsOf(draft.id)).toEqual(['deposit', 'late'].filter(id => (clause_ids as string[]).includes(id)))
  })

  test('can change its choice back to what is on by default', async () => {
    await save([DEPOSIT, LATE])
    const { id } = await aDraft(instance, { clause_ids: ['late'] })
    expect((await staff.patch(`${BUDGETS}/${id}`, { patient_notes: 'x' })).body.data.clause_ids).toEqual(['late'])
    expect((await staff.patch(`${BUDGETS}/${id}`, { clause_ids: null })).body.data.clause_ids).toBe(null)
    await send(id)
    expect(await idsOf(id)).toEqual(['deposit'])
  })

  test('can’t choose what the clinic doesn’t have: 422 with a pointer', async () => {
    await save([DEPOSIT])
    const { id } = await aDraft(instance)
    const { status, body } = await staff.patch(`${BUDGETS}/${id}`, { clause_ids: ['deposit', 'late'] })
    expect([status, body.errors]).toEqual([422, [{ pointer: '/clause_ids/1', message: 'There is no such condition.' }]])
  })

  test('is previewed with its conditions, and a copy has the same choice', async () => {
    await save([DEPOSIT, LATE])
    const { id } = await aDraft(instance, { clause_ids: ['late'] })
    const { clauses } = (await staff.get(`${BUDGETS}/${id}/preview`)).body.data
    expect(clauses).toEqual([{ module: 'budget', id: 'late', title: 'Citas', text: 'Avise antes.' }])
    expect((await staff.post(`${BUDGETS}/${id}/duplicate`)).body.data.clause_ids).toEqual(['late'])
  })

  test('is sent without a chosen condition that the clinic has removed since', async () => {
    await save([DEPOSIT, LATE])
    const { id } = await aDraft(instance, { clause_ids: ['late'] })
    await save([DEPOSIT])
    expect((await send(id)).status).toBe(200)
    expect(await detail(id)).not.toHaveProperty('clauses')
  })

  test('can be saved by a form that still names a condition the clinic has removed since', async () => {
    await save([DEPOSIT, LATE])
    const { id } = await aDraft(instance, { clause_ids: ['late', 'deposit'] })
    await save([DEPOSIT])
    const { status, body } = await staff.patch(`${BUDGETS}/${id}`, { clause_ids: ['late', 'deposit'] })
    expect([status, body.data.clause_ids]).toEqual([200, ['deposit']])
  })

  test('has its conditions in the patient’s language, or in the clinic’s if they aren’t written in it', async () => {
    await save([DEPOSIT, { ...LATE, by_default: true }])
    const patient_id = (await aPatient(staff, { locale: 'en' })).id
    const { id } = await aDraft(instance, { patient_id })
    await send(id)
    expect((await detail(id)).clauses.map(({ title }: { title: string }) => title)).toEqual(['Deposit', 'Citas'])
  })
})

test('a sent budget keeps its conditions when the setting changes, and is accepted and verified with them', async () => {
  await save([DEPOSIT])
  const { id } = await aDraft(instance)
  const token = (await send(id)).body.data.url.split('/').at(-1)
  await save([{ ...DEPOSIT, text: { es: 'Se paga todo.', en: 'All is due.' } }])
  const budget = { id, number: '', url: '', token, code: '482913', base: `/api/v1/public/budgets/${token}` }
  const patient = await aVerifiedPatient(instance, budget)
  expect((await patient.get(budget.base)).body.data.clauses[0].text).toBe('Se paga el 30 %.')
  expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  expect((await verify(instance, id)).ok).toBe(true)
})
