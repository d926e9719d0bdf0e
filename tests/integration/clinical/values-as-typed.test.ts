import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailedToken } from '../../support/accounts.ts'
import type { Caller } from '../../support/caller.ts'
import { importFile, PATIENT_IMPORTS } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
let instance: Instance
let admin: Caller
beforeAll(async () => {
  instance = await anInstance()
  admin = await instance.as('admin')
})
afterAll(() => instance.close())

const aName = { first_name: 'Ana', last_name: 'Ruiz' }

describe('an email address', () => {
  test.each([
    ['paciente@clínica.es', 'paciente@clínica.es'],
    ['paciente@xn--clnica-4va.es', 'paciente@xn--clnica-4va.es'],
    ['A.B@EXAMPLE.com ', 'A.B@EXAMPLE.com'],
    ['ivan@пример.рф', 'ivan@пример.рф'],
    ['\u200Bana@example.es\u200B', 'ana@example.es']
  ])('is stored for a patient: %j becomes %j', async (typed, kept) => {
    const { status, body } = await admin.post(PATIENTS, { ...aName, email: typed })
    expect([status, body.data?.email]).toEqual([201, kept])
  })

  test('of a file matches the patient whose domain was entered in Unicode', async () => {
    await admin.post(PATIENTS, { first_name: 'Eva', last_name: 'Ñu', email: 'Eva@ñandú.es', date_of_birth: '1985-04-03' })
    const { counts } = await importFile(
      admin, PATIENT_IMPORTS, 'first_name;last_name;email;date_of_birth\nEva;Ñu;eva@xn--and-6ma2c.es;1985-04-03\n'
    )
    expect(counts).toMatchObject({ new: 0, wrong: 0 })
  })

  test('of an account works for signing in in both spellings, and the other one creates no second account', async () => {
    const password = 'long-enough-for-ñandú-7'
    const user = { email: 'Eva@Ñandú.example', first_name: 'Eva', last_name: 'Sol', role: 'receptionist', password }
    expect((await admin.post('/api/v1/users', user)).status).toBe(201)
    const again = await admin.post('/api/v1/users', { ...user, email: 'eva@xn--and-6ma2c.example' })
    expect([again.status, again.body.code]).toEqual([409, 'user_exists'])
    for (const email of ['eva@ñandú.example', ' EVA@xn--and-6ma2c.example'])
      expect((await instance.anonymous().post('/api/v1/auth/login', { email, password })).status, email).toBe(200)
  })

  test('is converted to Punycode when a mail is sent', async () => {
    const user = { email: 'sol@ñandú.example', first_name: 'Sol', last_name: 'Sol', role: 'receptionist' }
    expect((await admin.post('/api/v1/users', user)).status).toBe(201)
    expect(await mailedToken(instance, 'sol@xn--and-6ma2c.example')).toBeTruthy()
  })
})

test('surrounding white space is removed in every field of patient, clinician, treatment, clinic, account', async () => {
  const patient = {
    first_name: ' Ana ', last_name: '\tRuiz\u00A0', email: ' ana@ruiz.es ', phone: ' 600 111 222 ', date_of_birth: ' 1985-04-03 ',
    tax_number: ' 12345678Z ', address: ' Calle 1\n08001 ', notes: ' alta ', external_ids: { pms: ' 17 ' }
  }
  const { body: { data } } = await admin.post(PATIENTS, patient)
  expect(data).toMatchObject({
    first_name: 'Ana', last_name: 'Ruiz', email: 'ana@ruiz.es', phone: '600 111 222', date_of_birth: '1985-04-03',
    tax_number: '12345678Z', address: 'Calle 1\n08001', notes: 'alta', external_ids: { pms: '17' }
  })
  const clinician = await admin.post('/api/v1/clinical/professionals', { name: ' Dra. Sol ', license_number: ' 4711 ', color: ' #0f766e ' })
  expect(clinician.body.data).toMatchObject({ name: 'Dra. Sol', license_number: '4711', color: '#0f766e' })
  const treatment = await admin.post('/api/v1/catalog/treatments', {
    code: ' X1 ', name: { es: ' Corona ' }, description: { es: ' de circonio ' }, category: ' prosthetics ', unit_price: ' 45.00 ', vat: ' 21 '
  })
  expect(treatment.body.data).toMatchObject({
    code: 'X1', name: { es: 'Corona' }, description: { es: 'de circonio' }, category: 'prosthetics', unit_price: '45.00', vat: '21'
  })
  const clinic = {
    name: ' Clínica Sol ', address: ' Calle 2 ', phone: ' 934 000 000 ', email: ' hola@clínica.es ', country: ' ES ', currency: ' EUR ',
    time_zone: ' Europe/Madrid ', locale: ' es ', accent_color: ' #0f5e59 ', legal_name: ' Sol S.L. ', tax_number: ' B1 '
  }
  const changed = await admin.patch('/api/v1/clinic', clinic)
  expect([changed.status, changed.body.data]).toMatchObject([
    200, Object.fromEntries(Object.entries(clinic).map(([field, value]) => [field, value.trim()]))
  ])
  const user = await admin.post('/api/v1/users', { email: ' Luz@Example.com ', first_name: ' Luz ', last_name: ' Paz ', role: 'dentist' })
  expect(user.body.data).toMatchObject({ email: 'luz@example.com', first_name: 'Luz', last_name: 'Paz' })
})

test('a refusal is explained in one of the service\'s own sentences', async () => {
  const { status, body } = await admin.post(PATIENTS, { first_name: 1, email: 'x', locale: 'it', date_of_birth: '1985-02-30' })
  expect([status, body.errors]).toEqual([422, [
    { pointer: '/first_name', message: 'Must be text.' },
    { pointer: '/last_name', message: 'Required.' },
    { pointer: '/email', message: 'Must be an email address.' },
    { pointer: '/date_of_birth', message: 'Must be a day such as "1985-04-03".' },
    { pointer: '/locale', message: 'Must be one of "en", "es", "fr", "de", "pt", "ar".' }
  ]])
})
