import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aTreatment } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const SETS = '/api/v1/catalog/sets'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('dentist')
})
afterAll(() => instance.close())

const items = async (...quantities: number[]) =>
  await Promise.all(quantities.map(async quantity => ({ treatment_id: (await aTreatment(staff)).id, quantity })))
const aSet = async (name: string, of?: Awaited<ReturnType<typeof items>>) =>
  (await staff.post(SETS, { name, items: of ?? await items(1) })).body.data
const shownItems = (set: any) =>
  set.items.map(({ treatment_id, quantity }: any) => ({ treatment_id, quantity }))

describe('a set', () => {
  it('keeps treatments and quantities in order, and shows the treatments as they are today', async () => {
    const of = await items(3, 1, 2)
    const answer = await staff.post(SETS, { name: 'Implant with crown', items: of })
    expect([answer.status, answer.body.data.name, shownItems(answer.body.data)]).toEqual([201, 'Implant with crown', of])
    const path = `${SETS}/${answer.body.data.id}`
    await staff.patch(`/api/v1/catalog/treatments/${of[1]!.treatment_id}`, { unit_price: '77.00', active: false })
    const { body } = await staff.get(path)
    expect(body.data.items[1].treatment).toMatchObject({ unit_price: '77.00', active: false, name: { en: 'Filling' } })
    expect(body.data.items[0].treatment.active).toBe(true)
  })

  it('has one of each by default, and can have a treatment twice', async () => {
    const [{ treatment_id } = { treatment_id: '' }] = await items(1)
    const { body } = await staff.post(SETS, { name: 'Twice', items: [{ treatment_id }, { treatment_id, quantity: 2 }] })
    expect(shownItems(body.data)).toEqual([{ treatment_id, quantity: 1 }, { treatment_id, quantity: 2 }])
  })

  it('is found by the beginnings of words of its name', async () => {
    const { id } = await aSet('Férula de descarga')
    for (const search of ['ferula', 'desc', 'DESCARGA fér'])
      expect((await staff.get(`${SETS}?search=${encodeURIComponent(search)}`)).body.data.map((set: any) => set.id), search)
        .toEqual([id])
    expect((await staff.get(`${SETS}?search=erula`)).body.total).toBe(0)
  })

  it('can be changed in its name, its treatments or both, and keeps what is left out', async () => {
    const of = await items(1, 2)
    const { id } = await aSet('Before', of)
    const renamed = await staff.patch(`${SETS}/${id}`, { name: 'After' })
    expect([renamed.status, renamed.body.data.name, shownItems(renamed.body.data)]).toEqual([200, 'After', of])
    const changed = await staff.patch(`${SETS}/${id}`, { items: of.slice(1) })
    expect([changed.body.data.name, shownItems(changed.body.data)]).toEqual(['After', of.slice(1)])
  })

  it('requires the current If-Match: 412 after another change', async () => {
    const { id } = await aSet('Raced')
    const etag = (await staff.get(`${SETS}/${id}`)).headers.get('etag')!
    const headers = { 'if-match': etag }
    expect((await staff.patch(`${SETS}/${id}`, { name: 'First' }, { headers })).status).toBe(200)
    const late = await staff.patch(`${SETS}/${id}`, { name: 'Second' }, { headers })
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
    expect((await staff.delete(`${SETS}/${id}`, { headers })).status).toBe(412)
  })

  it('can be deleted, and its treatments stay', async () => {
    const of = await items(1)
    const { id } = await aSet('Gone', of)
    expect((await staff.delete(`${SETS}/${id}`)).status).toBe(204)
    expect((await staff.get(`${SETS}/${id}`)).status).toBe(404)
    expect((await staff.delete(`${SETS}/${id}`)).status).toBe(404)
    expect((await staff.get(`/api/v1/catalog/treatments/${of[0]!.treatment_id}`)).status).toBe(200)
    expect(await instance.sql`select 1 from catalog_set_item where set_id = ${id}`).toHaveLength(0)
  })
})

describe('a set is refused', () => {
  it.each([
    ['no name', { name: '  ', items: undefined }, '/name'],
    ['no treatments', { name: 'Empty', items: [] }, '/items'],
    ['a quantity of zero', { name: 'None', items: [{ treatment_id: crypto.randomUUID(), quantity: 0 }] }, '/items/0/quantity'],
    ['an unknown treatment', { name: 'Nowhere', items: [{ treatment_id: crypto.randomUUID() }] }, '/items/0/treatment_id']
  ])('with %s', async (_, { name, items: given }, pointer) => {
    const { status, body } = await staff.post(SETS, { name, items: given ?? await items(1) })
    expect([status, body.errors.map((error: any) => error.pointer)]).toEqual([422, [pointer]])
  })

  it('with a name with line breaks, more than 50 treatments, or unknown members', async () => {
    const [of] = await items(1)
    for (const body of [
      { name: 'Two\nlines', items: [of] },
      { name: 'Many', items: Array.from({ length: 51 }, () => of) },
      { name: 'More', items: [of], price: '1.00' }
    ]) expect((await staff.post(SETS, body)).status).toBe(422)
  })

  it('if it, or one of its treatments, is another clinic\'s', async () => {
    const other = await instance.as('admin', await instance.anotherClinic())
    const theirs = (await aTreatment(other)).id
    const { body } = await staff.post(SETS, { name: 'Mixed', items: [{ treatment_id: theirs }] })
    expect(body.errors).toEqual([{ pointer: '/items/0/treatment_id', message: 'There is no such treatment.' }])
    const { id } = await aSet('Ours')
    expect((await other.get(`${SETS}?search=ours`)).body.total).toBe(0)
    expect((await other.get(`${SETS}/${id}`)).status).toBe(404)
    expect((await other.patch(`${SETS}/${id}`, { name: 'Taken' })).status).toBe(404)
    expect((await other.delete(`${SETS}/${id}`)).status).toBe(404)
    expect((await staff.patch(`${SETS}/${id}`, { items: [{ treatment_id: theirs }] })).status).toBe(422)
    expect(shownItems((await staff.get(`${SETS}/${id}`)).body.data)).toHaveLength(1)
  })

  it('if the member may only read the catalog', async () => {
    const receptionist = await instance.as('receptionist')
    const { id } = await aSet('Read')
    expect((await receptionist.get(`${SETS}/${id}`)).status).toBe(200)
    expect((await receptionist.delete(`${SETS}/${id}`)).status).toBe(403)
    expect((await receptionist.post(SETS, { name: 'Mine', items: [] })).status).toBe(403)
  })
})
