import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClinic } from '../../../server/core/clinics/create-clinic.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const TREATMENTS = '/api/v1/catalog/treatments'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

let codes = 0
const fields = (more: Record<string, unknown> = {}) => ({
  code: `T-${(codes += 1)}`,
  name: { en: 'Filling', es: 'Obturación' },
  unit_price: '45.00',
  vat: '21',
  ...more
})
const aTreatment = async (more: Record<string, unknown> = {}) => (await staff.post(TREATMENTS, fields(more))).body.data
const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(error => error.pointer)

describe('a treatment', () => {
  it('has names in several languages, and money and VAT as decimal strings', async () => {
    const request = fields({
      name: { en: 'Cleaning', es: 'Limpieza', ar: 'تنظيف' },
      description: { es: 'Tartrectomía' },
      category: 'prevention',
      unit_price: '60',
      vat: '7.5'
    })
    const answer = await staff.post(TREATMENTS, request)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ ...request, unit_price: '60.00', vat: '7.5', active: true })
    expect((await staff.get(`${TREATMENTS}/${answer.body.data.id}`)).body.data).toEqual(answer.body.data)
  })

  it('is found by code and by name in any language', async () => {
    const { id } = await aTreatment({ code: 'END-03', name: { en: 'Root canal', es: 'Endodoncia de molar' } })
    for (const search of ['end-03', 'endodón', 'canal root', 'molar']) {
      expect(
        (await staff.get(`${TREATMENTS}?search=${encodeURIComponent(search)}`)).body.data.map(
          (row: { id: string }) => row.id
        ),
        search
      ).toContain(id)
    }
    expect((await staff.get(`${TREATMENTS}?search=doncia`)).body.total).toBe(0)
  })

  it('counts per tooth by default, and has no number of surfaces', async () => {
    expect(await aTreatment()).toMatchObject({ counts: 'tooth', surfaces: null })
    const { id } = await aTreatment({ counts: 'once', surfaces: 2 })
    const changed = await staff.patch(`${TREATMENTS}/${id}`, { counts: 'piece', surfaces: null })
    expect(changed.body.data).toMatchObject({ counts: 'piece', surfaces: null })
    for (const wrong of [{ counts: 'jaw' }, { surfaces: 0 }, { surfaces: 6 }])
      expect((await staff.patch(`${TREATMENTS}/${id}`, wrong)).status, JSON.stringify(wrong)).toBe(422)
  })

  it('is the first of 12 results if it fits best, wherever it is in the list', async () => {
    const elsewhere = await instance.as('admin', await instance.anotherClinic())
    const add = (code: string, name: string, more = {}) =>
      elsewhere.post(TREATMENTS, { code, name: { de: name }, unit_price: '1.00', vat: '0', ...more })
    for (let n = 10; n < 30; n++) await add(`A-${n}`, `Krone auf Implantat, Variante ${n}`)
    await add('Z-1', 'Zirkonkrone')
    for (const surfaces of [1, 2, 3]) await add(`Z-F${surfaces}`, `Kompositfüllung (${surfaces})`, { surfaces })
    const find = async (query: string) => {
      const { body } = await elsewhere.get(`${TREATMENTS}?order=best&active=true&page_size=12&${query}`)
      return { codes: body.data.map(({ code }: { code: string }) => code), total: body.total }
    }
    const crowns = await find('search=krone')
    expect([crowns.codes[0], crowns.codes.length, crowns.total]).toEqual(['Z-1', 12, 21])
    expect((await find('search=krone&page=2')).codes).toHaveLength(9)
    expect((await find('search=f%C3%BCllung&surfaces=2')).codes[0]).toBe('Z-F2')
    expect((await find('search=')).codes[0]).toBe('A-10')
    expect((await find('search=kro%25ne')).total).toBe(0)
  })

  it('can be listed by whether it has a price', async () => {
    const elsewhere = await instance.as('admin', await instance.anotherClinic())
    for (const unit_price of ['0.00', '5.00']) await elsewhere.post(TREATMENTS, fields({ unit_price }))
    const listed = async (priced: boolean) =>
      (await elsewhere.get(`${TREATMENTS}?priced=${priced}`)).body.data.map((row: { unit_price: string }) => row.unit_price)
    expect([await listed(false), await listed(true)]).toEqual([['0.00'], ['5.00']])
  })

  it('can be listed by category and by whether it is offered', async () => {
    const { id } = await aTreatment({ category: 'surgery' })
    expect((await staff.get(`${TREATMENTS}?category=surgery&active=true`)).body.data).toMatchObject([{ id }])
    await staff.patch(`${TREATMENTS}/${id}`, { active: false })
    expect((await staff.get(`${TREATMENTS}?category=surgery&active=true`)).body.total).toBe(0)
    expect((await staff.get(`${TREATMENTS}?category=surgery&active=false`)).body.total).toBe(1)
  })

  it('has a code that is unique in the clinic: 409 code_taken, even if two requests use it at once', async () => {
    const request = fields()
    const answers = await Promise.all([staff.post(TREATMENTS, request), staff.post(TREATMENTS, request)])
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409])
    const other = await aTreatment()
    const taken = await staff.patch(`${TREATMENTS}/${other.id}`, { code: request.code })
    expect([taken.status, taken.body.code]).toEqual([409, 'code_taken'])
    const elsewhere = await instance.as('admin', await instance.anotherClinic())
    expect((await elsewhere.post(TREATMENTS, request)).status).toBe(201)
  })

  it('is not overwritten after another change: a change with a stale If-Match is 412', async () => {
    const { id } = await aTreatment()
    const etag = (await staff.get(`${TREATMENTS}/${id}`)).headers.get('etag')!
    const first = await staff.patch(`${TREATMENTS}/${id}`, { unit_price: '50.00' }, { headers: { 'if-match': etag } })
    expect([first.status, first.body.data.unit_price]).toEqual([200, '50.00'])
    expect(
      (await staff.patch(`${TREATMENTS}/${id}`, { unit_price: '51.00' }, { headers: { 'if-match': etag } })).status
    ).toBe(412)
    expect((await staff.patch(`${TREATMENTS}/${id}`, { unit_price: '51.00' })).status).toBe(200)
  })

  it.each([
    [{ unit_price: '45.001' }, '/unit_price'],
    [{ unit_price: '-1.00' }, '/unit_price'],
    [{ unit_price: 45 }, '/unit_price'],
    [{ unit_price: '9'.repeat(16) }, '/unit_price'],
    [{ vat: '100.01' }, '/vat'],
    [{ vat: '21.123' }, '/vat'],
    [{ name: {} }, '/name'],
    [{ name: { en: '' } }, '/name/en'],
    [{ name: { xx: 'Filling' } }, '/name/xx'],
    [{ name: { en: 'a\u0007' } }, '/name/en'],
    [{ code: 'no spaces' }, '/code'],
    [{ category: 'nothing' }, '/category'],
    [{ category: '' }, '/category'],
    [{ price: '1.00' }, '/price']
  ])('is refused with %j, and nothing is written', async (wrong, pointer) => {
    const before = (await staff.get(TREATMENTS)).body.total
    const { status, body } = await staff.post(TREATMENTS, fields(wrong))
    expect([status, body.code]).toEqual([422, 'validation_failed'])
    expect(pointers(body)).toContain(pointer)
    expect((await staff.get(TREATMENTS)).body.total).toBe(before)
  })

  it('has prices with as many decimals as the clinic\'s currency', async () => {
    const yen = await createClinic(instance.runtime.host, {
      name: '歯科',
      currency: 'JPY',
      time_zone: 'Asia/Tokyo',
      locale: 'en'
    })
    const there = await instance.as('admin', yen)
    expect((await there.post(TREATMENTS, fields({ unit_price: '4500' }))).body.data.unit_price).toBe('4500')
    expect(pointers((await there.post(TREATMENTS, fields({ unit_price: '4500.00' }))).body)).toEqual(['/unit_price'])
  })

  it('can be read by everyone in the clinic and changed by members with the permission', async () => {
    const receptionist = await instance.as('receptionist')
    const { id } = await aTreatment()
    expect((await receptionist.get(`${TREATMENTS}/${id}`)).status).toBe(200)
    const refused = await receptionist.patch(`${TREATMENTS}/${id}`, { vat: '0' })
    expect([refused.status, refused.body.detail]).toEqual([403, 'Permission denied: catalog.write'])
  })

  it('of another clinic is 404, like a malformed id', async () => {
    const { id } = await aTreatment()
    const stranger = await instance.as('admin', await instance.anotherClinic())
    expect((await stranger.get(`${TREATMENTS}/${id}`)).status).toBe(404)
    expect((await stranger.patch(`${TREATMENTS}/${id}`, {})).status).toBe(404)
    expect((await staff.get(`${TREATMENTS}/${id}x`)).status).toBe(404)
  })
})

describe('the categories', () => {
  it('are created with names in several languages, and tracked', async () => {
    const { body } = await staff.get('/api/v1/catalog/categories')
    expect(body.data).toContainEqual({
      code: 'endodontics',
      name: expect.objectContaining({ en: 'Root canals', es: 'Endodoncia' })
    })
    const tracked
      = await instance.sql`select record_id from core_external_id where module_name = 'catalog' and table_name = 'catalog_category'`
    expect(tracked.map(row => row.record_id).sort()).toEqual(
      body.data.map((category: { code: string }) => category.code).sort()
    )
  })
})
