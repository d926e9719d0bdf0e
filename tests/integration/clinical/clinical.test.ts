import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anInstance, type Instance } from '../../support/instance.ts'
import type { Caller } from '../../support/caller.ts'

const PATIENTS = '/api/v1/clinical/patients'
const PROFESSIONALS = '/api/v1/clinical/professionals'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const aPatient = async (fields: Record<string, unknown> = {}) =>
  (await staff.post(PATIENTS, { first_name: 'Núria', last_name: 'Puig i Ferrer', ...fields })).body.data

describe('a patient', () => {
  it('is created with the given values, and by default with the language of the clinic', async () => {
    const answer = await staff.post(PATIENTS, {
      first_name: ' Begoña ',
      last_name: 'Ñíguez',
      email: 'begona@patient.test',
      phone: '+34 600 000 104',
      date_of_birth: '1958-01-30',
      notes: 'Alergia\na la penicilina'
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      first_name: 'Begoña',
      last_name: 'Ñíguez',
      email: 'begona@patient.test',
      date_of_birth: '1958-01-30',
      locale: 'es'
    })
    const read = await staff.get(`${PATIENTS}/${answer.body.data.id}`)
    expect(read.body.data).toEqual(answer.body.data)
    expect((await aPatient({ locale: 'de' })).locale).toBe('de')
  })

  it('is found by the beginnings of words, without accents and case, by email and by phone', async () => {
    const { id } = await aPatient({
      first_name: 'Siobhán',
      last_name: 'O’Brien',
      email: 'siobhan@patient.test',
      phone: '+44 7700 900106'
    })
    for (const search of ['siobhan', 'OBR sio', 'o\'brien', 'siobhan@pat', '7700 900106', '+447700900106']) {
      const { body } = await staff.get(`${PATIENTS}?search=${encodeURIComponent(search)}`)
      expect(body.data.map((row: { id: string }) => row.id), search).toContain(id)
    }
    expect((await staff.get(`${PATIENTS}?search=iobhan`)).body.total).toBe(0)
    expect((await staff.get(`${PATIENTS}?search=${encodeURIComponent('\' | :* \\ & !')}`)).status).toBe(200)
  })

  it('is listed by last name, in pages', async () => {
    for (const last_name of ['Zzyx', 'Álvarez', 'Azaña']) await aPatient({ first_name: 'Pagina', last_name })
    const pages = await Promise.all(
      [1, 2, 3].map(page => staff.get(`${PATIENTS}?search=pagina&page_size=1&page=${page}`))
    )
    expect(pages.map(({ body }) => body.data[0].last_name)).toEqual(['Álvarez', 'Azaña', 'Zzyx'])
    expect(pages[0]!.body).toMatchObject({ total: 3, page: 1, page_size: 1 })
  })

  it('changes only in the given fields, and is found by the new name', async () => {
    const { id, email } = await aPatient({ email: 'nuria@patient.test' })
    const { body } = await staff.patch(`${PATIENTS}/${id}`, { last_name: 'Xirgu', phone: null })
    expect(body.data).toMatchObject({ id, first_name: 'Núria', last_name: 'Xirgu', email, phone: null })
    expect((await staff.get(`${PATIENTS}?search=xirgu`)).body.total).toBe(1)
  })

  it('is not overwritten after another change: a change with a stale If-Match is 412', async () => {
    const { id } = await aPatient()
    const etag = (await staff.get(`${PATIENTS}/${id}`)).headers.get('etag')!
    const changes = await Promise.all(
      ['one', 'two'].map(notes => staff.patch(`${PATIENTS}/${id}`, { notes }, { headers: { 'if-match': etag } }))
    )
    expect(changes.map(answer => answer.status).sort()).toEqual([200, 412])
    expect(changes.find(answer => answer.status === 412)!.body.code).toBe('precondition_failed')
    const after = changes.find(answer => answer.status === 200)!
    expect(
      (await staff.patch(`${PATIENTS}/${id}`, { notes: null }, { headers: { 'if-match': after.headers.get('etag')! } }))
        .status
    ).toBe(200)
  })

  it.each([
    [{ first_name: '' }, '/first_name'],
    [{ first_name: 'A\u0007B' }, '/first_name'],
    [{ last_name: 'abc\u202Edef' }, '/last_name'],
    [{ email: 'no address' }, '/email'],
    [{ date_of_birth: '2023-02-29' }, '/date_of_birth'],
    [{ date_of_birth: '2999-01-01' }, '/date_of_birth'],
    [{ date_of_birth: '0000-01-01' }, '/date_of_birth'],
    [{ locale: 'xx' }, '/locale'],
    [{ phone: 'call me' }, '/phone'],
    [{ notes: 5 }, '/notes'],
    [{ clinic_id: '00000000-0000-4000-8000-000000000000' }, '/clinic_id']
  ])('is refused with %j, and nothing is written', async (fields, pointer) => {
    const before = (await staff.get(PATIENTS)).body.total
    const { status, body } = await staff.post(PATIENTS, { first_name: 'Ana', last_name: 'Sanz', ...fields })
    expect(status).toBe(422)
    expect(body.code).toBe('validation_failed')
    expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
    expect((await staff.get(PATIENTS)).body.total).toBe(before)
  })

  it.each(['?page=0', '?page_size=101', '?page=x', '?nobody=1', '?page=1&page=2'])(
    'is not listed with %s: 422',
    async (query) => {
      expect((await staff.get(PATIENTS + query)).status).toBe(422)
    }
  )

  it('of another clinic is 404, like a malformed id, and not in the list', async () => {
    const { id } = await aPatient({ last_name: 'Secretísima' })
    const stranger = await instance.as('admin', await instance.anotherClinic())
    expect((await stranger.get(`${PATIENTS}/${id}`)).status).toBe(404)
    expect((await stranger.patch(`${PATIENTS}/${id}`, { notes: 'x' })).status).toBe(404)
    expect((await stranger.get(`${PATIENTS}?search=secretisima`)).body.total).toBe(0)
    expect((await staff.get(`${PATIENTS}/none`)).status).toBe(404)
    expect((await staff.patch(`${PATIENTS}/none`, {})).status).toBe(404)
  })

  it('is not shown without a session', async () => {
    expect((await instance.anonymous().get(PATIENTS)).status).toBe(401)
  })
})

describe('a professional', () => {
  it('is listed by name, and can be deactivated', async () => {
    const { body } = await staff.post(PROFESSIONALS, { name: 'Dra. Inés Castaño', license_number: '28012345' })
    expect(body.data).toMatchObject({ name: 'Dra. Inés Castaño', active: true, color: null })
    expect((await staff.get(`${PROFESSIONALS}?search=castano&active=true`)).body.data).toEqual([body.data])
    await staff.patch(`${PROFESSIONALS}/${body.data.id}`, { active: false })
    expect((await staff.get(`${PROFESSIONALS}?search=castano&active=true`)).body.total).toBe(0)
    expect((await staff.get(`${PROFESSIONALS}/${body.data.id}`)).body.data.active).toBe(false)
  })

  it('of another clinic is 404', async () => {
    const { body } = await staff.post(PROFESSIONALS, { name: 'Dr. Mateo Rincón' })
    const stranger = await instance.as('admin', await instance.anotherClinic())
    expect((await stranger.get(`${PROFESSIONALS}/${body.data.id}`)).status).toBe(404)
  })
})
