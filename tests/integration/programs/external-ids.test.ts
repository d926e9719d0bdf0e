import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft, aPatient, aProfessional, aSentBudget, aTreatment, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
const TREATMENTS = '/api/v1/catalog/treatments'
const PROFESSIONALS = '/api/v1/clinical/professionals'

let instance: Instance
let staff: Caller
let patient_id: string
let treatment_id: string

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  patient_id = (await aPatient(staff)).id
  treatment_id = (await aTreatment(staff)).id
})
afterAll(() => instance.close())

let codes = 0
const newId = () => randomUUID().slice(0, 13)

/** Each kind with its list, a body that it accepts, and a change of one member. */
const KINDS = {
  patients: {
    list: PATIENTS,
    body: () => ({ first_name: 'Ana', last_name: 'Ruiz' }),
    change: { last_name: 'Gil' } as Record<string, unknown>
  },
  clinicians: { list: PROFESSIONALS, body: () => ({ name: 'Elena Vidal' }), change: { name: 'Elena Gil' } },
  treatments: {
    list: TREATMENTS,
    body: () => ({ code: `X-${(codes += 1)}`, name: { es: 'Empaste' }, unit_price: '45.00', vat: '21' }),
    change: { unit_price: '50.00' }
  },
  budgets: {
    list: BUDGETS,
    body: () => ({ patient_id, items: [{ treatment_id }] }),
    change: { patient_notes: 'Changed.' }
  }
}

describe.each(Object.entries(KINDS))('external_ids on %s', (_kind, { list, body, change }) => {
  const at = (system: string, id: string) => `${list}/by-external-id/${system}/${encodeURIComponent(id)}`

  test('are set by POST, returned by GET, replaced by PATCH, and {} if there are none', async () => {
    const [pms, crm] = [newId(), newId()]
    const made = await staff.post(list, { ...body(), external_ids: { pms, 'crm-2': crm } })
    expect(made.status).toBe(201)
    const { id, external_ids } = made.body.data
    expect(external_ids).toEqual({ pms, 'crm-2': crm })
    expect((await staff.get(`${list}/${id}`)).body.data.external_ids).toEqual({ pms, 'crm-2': crm })
    const listed = (await staff.get(`${list}?page_size=100`)).body.data
    expect(listed.find((row: { id: string }) => row.id === id).external_ids).toEqual({ pms, 'crm-2': crm })

    expect((await staff.patch(`${list}/${id}`, change)).body.data.external_ids).toEqual({ pms, 'crm-2': crm })
    const other = newId()
    expect((await staff.patch(`${list}/${id}`, { external_ids: { pms: other } })).body.data.external_ids)
      .toEqual({ pms: other })
    expect((await staff.get(at('pms', pms))).status).toBe(404)
    expect((await staff.get(at('pms', other))).body.data.id).toBe(id)
    expect((await staff.patch(`${list}/${id}`, { external_ids: {} })).body.data.external_ids).toEqual({})
    expect((await staff.post(list, body())).body.data.external_ids).toEqual({})
  })

  test('are unique per clinic, kind and system', async () => {
    const id = newId()
    const first = await staff.post(list, { ...body(), external_ids: { pms: id } })
    expect(await staff.post(list, { ...body(), external_ids: { pms: id } })).toMatchObject({
      status: 409, body: { code: 'external_id_taken', system: 'pms' }
    })
    const second = await staff.post(list, { ...body(), external_ids: { other: id } })
    expect(second.status).toBe(201)
    const refused = await staff.patch(`${list}/${second.body.data.id}`, { ...change, external_ids: { pms: id } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'external_id_taken' } })
    expect((await staff.get(`${list}/${second.body.data.id}`)).body.data).toEqual(second.body.data)
    expect((await staff.get(`${list}/${first.body.data.id}`)).body.data.external_ids).toEqual({ pms: id })
  })

  test('have a system of [a-z0-9-]{1,30} and an id of 1 to 100 characters, and are at most 10', async () => {
    const good = { [`a-0${'z'.repeat(27)}`]: 'ñ/?#% '.padEnd(100, '.') }
    expect((await staff.post(list, { ...body(), external_ids: good })).body.data.external_ids).toEqual(good)
    for (const external_ids of [
      { Pms: '1' }, { '': '1' }, { ['x'.repeat(31)]: '1' }, { a_b: '1' }, { pms: '' }, { pms: 'x'.repeat(101) },
      { pms: 7 }, { pms: null }, { pms: 'a\nb' }, { pms: ' ' }, [], 'pms',
      Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`s${n}`, '1']))
    ]) {
      const answer = await staff.post(list, { ...body(), external_ids })
      expect(answer, JSON.stringify(external_ids)).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      expect(answer.body.errors[0].pointer).toMatch(/^\/external_ids/)
    }
  })

  test('lose white space at both ends, as every field does', async () => {
    const id = newId()
    const { body: { data } } = await staff.post(list, { ...body(), external_ids: { pms: `\uFEFF ${id}\u00A0` } })
    expect(data.external_ids).toEqual({ pms: id })
  })

  test('let PUT create (201), then change (200) with the body of POST; without external_ids it keeps the others', async () => {
    const [pms, crm] = [newId(), `${newId()} /ä`]
    const fields = body()
    const made = await staff.put(at('pms', pms), { ...fields, external_ids: { crm } })
    expect(made.status).toBe(201)
    expect(made.body.data.external_ids).toEqual({ pms, crm })
    const changed = await staff.put(at('crm', crm), { ...fields, ...change })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toMatchObject({ id: made.body.data.id, ...change, external_ids: { pms, crm } })
    expect((await staff.get(at('pms', pms))).body.data).toEqual(changed.body.data)
    expect((await staff.put(at('pms', pms), { ...fields, external_ids: {} })).body.data.external_ids).toEqual({ pms })
    expect(await staff.put(at('pms', pms), { ...fields, external_ids: { pms: 'another' } })).toMatchObject({
      status: 422, body: { errors: [{ pointer: '/external_ids/pms' }] }
    })
    expect(await staff.put(at('pms', newId()), {})).toMatchObject({ status: 422 })
    expect((await staff.put(at('PMS', pms), fields)).status).toBe(404)
    expect((await staff.get(at('PMS', pms))).status).toBe(404)
    for (const spaced of [` ${pms}`, `${pms}\u00A0`, `\uFEFF${pms}`])
      expect((await staff.put(at('pms', spaced), fields)).status).toBe(404)
  })

  test('prevent PUT from creating a record if one of them belongs to another record', async () => {
    const taken = newId()
    await staff.post(list, { ...body(), external_ids: { crm: taken } })
    const fresh = newId()
    expect(await staff.put(at('pms', fresh), { ...body(), external_ids: { crm: taken } })).toMatchObject({
      status: 409, body: { code: 'external_id_taken', system: 'crm' }
    })
    expect((await staff.get(at('pms', fresh))).status).toBe(404)
  })

  test('let one of concurrent PUTs of one id create, and the others change', async () => {
    const id = newId()
    const fields = body()
    const answers = await Promise.all(Array.from({ length: 20 }, () => staff.put(at('pms', id), fields)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201])
    expect(new Set(answers.map(answer => answer.body.data.id)).size).toBe(1)
  })

  test('can be swapped by two records at once with only 200 and 409 as answers', async () => {
    const [one, two] = [newId(), newId()]
    const first = (await staff.post(list, { ...body(), external_ids: { a: one, b: two } })).body.data.id
    const second = (await staff.post(list, { ...body(), external_ids: { a: two, b: one } })).body.data.id
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => staff.patch(`${list}/${n % 2 ? first : second}`, {
      external_ids: n % 4 < 2 ? { a: one, b: two } : { a: two, b: one }
    })))
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
  })

  test('are separate for each clinic', async () => {
    const id = newId()
    const mine = (await staff.post(list, { ...body(), external_ids: { pms: id } })).body.data.id
    const stranger = await instance.as('admin', await instance.anotherClinic())
    expect((await stranger.get(at('pms', id))).status).toBe(404)
    if (list === BUDGETS) return
    const theirs = await stranger.put(at('pms', id), body())
    expect(theirs.status).toBe(201)
    expect(theirs.body.data.id).not.toBe(mine)
  })
})

describe('external ids of a budget', () => {
  const at = (id: string) => `${BUDGETS}/by-external-id/pms/${id}`
  const REQUEST = () => ({ patient_id, items: [{ treatment_id, quantity: 2 }] })

  test('allow PUT to change only drafts', async () => {
    const sent = await aSentBudget(instance, { external_ids: { pms: newId() } })
    const id = (await staff.get(`${BUDGETS}/${sent.id}`)).body.data.external_ids.pms
    expect(await staff.put(at(id), REQUEST())).toMatchObject({ status: 409, body: { code: 'wrong_state' } })
    expect(await staff.patch(`${BUDGETS}/${sent.id}`, { external_ids: {} })).toMatchObject({
      status: 409, body: { code: 'wrong_state' }
    })
  })

  test('lead to a revision, but not to a copy', async () => {
    const id = newId()
    const sent = await aSentBudget(instance, { external_ids: { pms: id } })
    const revised = (await staff.post(`${BUDGETS}/${sent.id}/revise`)).body.data
    expect(revised.external_ids).toEqual({ pms: id })
    expect((await staff.get(at(id))).body.data).toMatchObject({ id: revised.id, version: 2 })
    expect((await staff.get(`${BUDGETS}/${sent.id}`)).body.data.external_ids).toEqual({ pms: id })
    const changed = await staff.put(at(id), REQUEST())
    expect(changed).toMatchObject({ status: 200, body: { data: { id: revised.id, items: [{ quantity: 2 }] } } })
    expect((await staff.post(`${BUDGETS}/${sent.id}/duplicate`)).body.data.external_ids).toEqual({})
    expect((await staff.delete(`${BUDGETS}/${revised.id}`)).status).toBe(204)
    expect((await staff.get(at(id))).body.data.id).toBe(sent.id)
  })

  test('are available again when the draft is deleted', async () => {
    const id = newId()
    const draft = await aDraft(instance, { external_ids: { pms: id } })
    expect((await staff.delete(`${BUDGETS}/${draft.id}`)).status).toBe(204)
    expect((await staff.put(at(id), REQUEST())).status).toBe(201)
  })

  test('use no number if the creation is refused', async () => {
    const taken = newId()
    const first = (await staff.post(BUDGETS, { ...REQUEST(), external_ids: { pms: taken } })).body.data.number as string
    await staff.post(BUDGETS, { ...REQUEST(), external_ids: { pms: taken } })
    const next = (await staff.post(BUDGETS, REQUEST())).body.data.number as string
    expect(Number(next.slice(-4))).toBe(Number(first.slice(-4)) + 1)
  })

  test('are not in the patient\'s view', async () => {
    const draft = await aDraft(instance, { external_ids: { pms: newId() } })
    expect((await staff.get(`${BUDGETS}/${draft.id}/preview`)).body.data).not.toHaveProperty('external_ids')
  })
})

test('external ids of a patient are in their export and erased with them', async () => {
  const [person, budget] = [newId(), newId()]
  const { id } = await aPatient(staff, { external_ids: { pms: person } })
  await aProfessional(instance)
  await aDraft(instance, { patient_id: id, external_ids: { pms: budget } })
  const sent = await aSentBudget(instance, { patient_id: id, external_ids: { crm: budget } })
  const { unzipSync, strFromU8 } = await import('fflate')
  const files = unzipSync((await staff.get(`/api/v1/clinic/persons/${id}/export`)).bytes)
  const text = Object.values(files).map(bytes => strFromU8(bytes)).join('\n')
  expect(text).toContain(person)
  expect(text).toContain(budget)

  const { status, body } = await staff.post(`/api/v1/clinic/persons/${id}/erase`, { dry_run: false })
  expect(status).toBe(200)
  expect(JSON.stringify(body)).toContain('patient ids of other systems')
  expect((await staff.get(`${PATIENTS}/by-external-id/pms/${person}`)).status).toBe(404)
  expect((await staff.get(`${BUDGETS}/by-external-id/crm/${budget}`)).status).toBe(404)
  expect((await staff.get(`${BUDGETS}/${sent.id}`)).body.data.external_ids).toEqual({})
  const left = await instance.sql`
    select system from clinical_patient_external_id where patient_id = ${id}
    union all select system from budget_external_id where external_id = ${budget}`
  expect(left).toHaveLength(0)
})
