import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPatient } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anUpload, importFile, PATIENT_IMPORTS } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const input = (name: string) => readFile(new URL(`../../fixtures/inputs/${name}.csv`, import.meta.url))
const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n`
const PATIENTS = '/api/v1/clinical/patients'
const allOf = async (staff: Caller) => (await staff.get(`${PATIENTS}?page_size=100`)).body.data
const anEmptyClinic = async () => await instance.as('receptionist', await instance.anotherClinic())
const check = async (staff: Caller, file: string | Uint8Array) => {
  const { id } = await anUpload(staff, PATIENT_IMPORTS, file)
  return (await staff.post(`${PATIENT_IMPORTS}/${id}/check`)).body.data
}
const peopleOf = async (staff: Caller) =>
  (await staff.get('/api/v1/clinical/patients')).body.data.map((one: any) => `${one.first_name} ${one.last_name}`).sort()

const ANOTHER = { column: 'Nº', message: 'Another person has this number.' }

test('a number that belongs to another person is an error of the row, in the check and in the run', async () => {
  const staff = await anEmptyClinic()
  expect((await importFile(staff, PATIENT_IMPORTS, await input('5-running-numbers-overwrite/system-a'))).counts)
    .toMatchObject({ new: 1, wrong: 0 })
  const file = await input('5-running-numbers-overwrite/system-b')
  expect(await check(staff, file)).toMatchObject({ new: 0, changed: 0, wrong: 1, errors: [{ line: 2, ...ANOTHER }] })
  expect(await importFile(staff, PATIENT_IMPORTS, file))
    .toMatchObject({ counts: { new: 0, changed: 0, same: 0, wrong: 1 }, errors: [{ line: 2, ...ANOTHER }] })
  expect(await peopleOf(staff)).toEqual(['Rosa Fichavieja Gil'])
})

test('without birth dates a number belongs to the patient with the same name or contact', async () => {
  const staff = await anEmptyClinic()
  const head = 'Nº;Nombre;Apellidos;Email;Teléfono'
  await importFile(staff, PATIENT_IMPORTS, lines(head, '1;Rosa;Gil;rosa@gil.example;600111222', '2;Eva;Sanz;;'))
  const { counts, errors } = await importFile(staff, PATIENT_IMPORTS, lines(
    head, '1;Rosa;Paz;r@paz.example;+34 600 111 222', '2;Kevin;Otro;kevin@otro.example;'
  ))
  expect(counts).toEqual({ new: 0, changed: 1, same: 0, wrong: 1 })
  expect(errors).toEqual([{ line: 3, ...ANOTHER }])
  expect(await peopleOf(staff)).toEqual(['Eva Sanz', 'Rosa Paz'])
})

test('twins with their mother’s address are both stored, and a later file with one of them renames neither', async () => {
  const staff = await anEmptyClinic()
  const twins = await input('13-twins/twins')
  expect(await check(staff, twins)).toMatchObject({ new: 2, wrong: 0 })
  expect((await importFile(staff, PATIENT_IMPORTS, twins)).counts).toEqual({ new: 2, changed: 0, same: 0, wrong: 0 })
  expect((await importFile(staff, PATIENT_IMPORTS, await input('13-twins/only-eva'))).counts)
    .toEqual({ new: 0, changed: 0, same: 1, wrong: 0 })
  expect((await importFile(staff, PATIENT_IMPORTS, twins)).counts).toEqual({ new: 0, changed: 0, same: 2, wrong: 0 })
  expect(await peopleOf(staff)).toEqual(['Ada Gemelas TAG', 'Eva Gemelas TAG'])
})

test('a file with the other twin adds her, and does not rename her sister', async () => {
  const staff = await anEmptyClinic()
  const ada = { first_name: 'Ada', last_name: 'Gemelas TAG', email: 'Madre-TAG@fam.example', date_of_birth: '2015-04-03' }
  await aPatient(staff, ada)
  expect((await importFile(staff, PATIENT_IMPORTS, await input('13-twins/only-eva'))).counts).toMatchObject({ new: 1 })
  expect(await peopleOf(staff)).toEqual(['Ada Gemelas TAG', 'Eva Gemelas TAG'])
})

test('a longer form of a name is the same person: a check and a run agree', async () => {
  const staff = await anEmptyClinic()
  const head = 'first_name,last_name,email,date_of_birth'
  const first = lines(head, 'Ana,Gil,ana@x.example,1980-01-02')
  await importFile(staff, PATIENT_IMPORTS, first)
  const file = lines(head, 'Ana Mª,Gil,ana@x.example,1980-01-02', 'María,Gil,ana@x.example,1980-01-02')
  expect(await check(staff, file)).toMatchObject({ new: 0, changed: 1, wrong: 1 })
  expect((await importFile(staff, PATIENT_IMPORTS, file)).counts).toEqual({ new: 0, changed: 1, same: 0, wrong: 1 })
  expect(await peopleOf(staff)).toEqual(['Ana Mª Gil'])
})

test('the same number in two systems belongs to two people, and each import names its system', async () => {
  const staff = await anEmptyClinic()
  const options = { system: 'gesden' }
  await importFile(staff, PATIENT_IMPORTS, await input('5-running-numbers-overwrite/system-a'))
  const file = await input('5-running-numbers-overwrite/system-b')
  const { counts } = await importFile(staff, PATIENT_IMPORTS, file, undefined, options)
  expect(counts).toEqual({ new: 1, changed: 0, same: 0, wrong: 0 })
  expect((await allOf(staff)).map((one: any) => [one.first_name, one.external_ids])).toEqual([
    ['Rosa', { import: 'TAG1' }], ['Kevin', { gesden: 'TAG1' }]
  ])
  expect((await importFile(staff, PATIENT_IMPORTS, file, undefined, options)).counts).toMatchObject({ same: 1 })
})

test('changed names are counted and listed separately from other changes and other spellings', async () => {
  const staff = await anEmptyClinic()
  const head = 'Nº;Nombre;Apellidos;Teléfono;Fecha de nacimiento'
  await importFile(staff, PATIENT_IMPORTS, lines(
    head, '1;Rosa;Gil;;01/02/1950', '2;Jose;Sanz;;01/02/1951', '3;Eva;Paz;;01/02/1952'
  ))
  const file = lines(head, '1;Rosa;Vidal;;01/02/1950', '2;José;Sanz;;01/02/1951', '3;Eva;Paz;600111222;01/02/1952')
  expect(await check(staff, file)).toMatchObject({
    changed: 3, wrong: 0, renamed: { total: 1, first: [{ line: 2, from: 'Rosa Gil', to: 'Rosa Vidal' }] }
  })
})

test('a name in one column is split at its comma, otherwise in the order that was chosen', async () => {
  const staff = await anEmptyClinic()
  const full = await anUpload(staff, PATIENT_IMPORTS, await input('12-layout/full-name'))
  expect(full.mapping).toEqual({ full_name: 'Paciente', email: 'Email' })
  await importFile(staff, PATIENT_IMPORTS, await input('12-layout/full-name'))
  await importFile(staff, PATIENT_IMPORTS, lines('Paciente', 'Ana de la Cruz Gil'))
  await importFile(staff, PATIENT_IMPORTS, lines('Paciente', 'Soler Puig Marta'), undefined, { name_order: 'last_first' })
  expect((await allOf(staff)).map((one: any) => [one.first_name, one.last_name])).toEqual([
    ['Ana', 'de la Cruz Gil'], ['María', 'García López'], ['Marta', 'Soler Puig']
  ])
  const { errors } = await importFile(staff, PATIENT_IMPORTS, lines('Paciente', 'Luis'))
  expect(errors).toEqual([{ line: 2, column: 'Paciente', message: 'Must have a first and a last name.' }])
})

test('two columns of surnames are joined, and so are several columns of an address', async () => {
  const staff = await anEmptyClinic()
  await importFile(staff, PATIENT_IMPORTS, await input('12-layout/two-surnames'))
  await importFile(staff, PATIENT_IMPORTS, lines(
    'Nombre;Apellidos;NIF;Dirección;CP;Población', 'Pep;Roca;X1234567L;Calle Mayor, 5;08001;Barcelona', 'Pau;Roca;;;08002;'
  ))
  expect(await allOf(staff)).toMatchObject([
    { first_name: 'María', last_name: 'García López' },
    { first_name: 'Pau', tax_number: null, address: '08002' },
    { first_name: 'Pep', tax_number: 'X1234567L', address: 'Calle Mayor, 5, 08001, Barcelona' }
  ])
})

const DIRTY = lines(
  'Nombre;Apellidos;Email;Teléfono;Fecha de nacimiento;Idioma;NIF;Notas',
  'Ana;Uno;sin correo;-;n/a;ninguno;S/N;-',
  'Ana;Dos;ana@x.example, ana2@x.example;;;;;',
  'Ana;Tres;ana at x;600111222;;klingon;;alergia',
  '-;Cuatro;;;;;;',
  'Ana;Cinco;"Ana Gil <ana5@x.example>";;;;;'
)

test('an invalid cell is left empty and the patient imported, and words that mean nothing count as empty', async () => {
  const staff = await anEmptyClinic()
  const done = await importFile(staff, PATIENT_IMPORTS, DIRTY)
  expect(done).toMatchObject({
    counts: { new: 4, wrong: 1 },
    errors: [{ line: 5, column: 'Nombre', message: 'Must not be empty.' }],
    lost: {
      total: 2,
      first: [
        { line: 4, column: 'Email', message: 'Must be an email address.', value: 'ana at x' },
        { line: 4, column: 'Idioma', message: 'Must be a language that the service has.', value: 'klingon' }
      ]
    },
    notes: { total: 1, first: [{ line: 3, column: 'Email', value: 'ana@x.example, ana2@x.example' }] }
  })
  expect(await allOf(staff)).toMatchObject([
    { last_name: 'Cinco', email: 'ana5@x.example', notes: null },
    { last_name: 'Dos', email: 'ana@x.example', notes: 'ana2@x.example' },
    { last_name: 'Tres', email: null, phone: '600111222', notes: 'alergia' },
    { last_name: 'Uno', email: null, phone: null, date_of_birth: null, tax_number: null, notes: '-' }
  ])
  expect((await importFile(staff, PATIENT_IMPORTS, DIRTY)).counts).toEqual({ new: 0, changed: 0, same: 4, wrong: 1 })
  const csv = (await staff.get(`${PATIENT_IMPORTS}/${done.id}/errors.csv`)).bytes.toString()
  expect(csv).toContain('4,Email,ana at x,Must be an email address.,imported without this value')
  expect(csv).toContain('5,Nombre,\'-,Must not be empty.,row left out')
})

test('a clinic can choose for each field that rows with an invalid cell are left out', async () => {
  const staff = await anEmptyClinic()
  const { id } = await anUpload(staff, PATIENT_IMPORTS, DIRTY)
  const { status } = await staff.patch(`${PATIENT_IMPORTS}/${id}`, { on_wrong: { email: 'leave_row_out' } })
  expect(status).toBe(200)
  expect((await staff.post(`${PATIENT_IMPORTS}/${id}/check`)).body.data).toMatchObject({
    new: 3, wrong: 2, errors: [{ line: 4, column: 'Email' }, { line: 5 }], lost: { total: 0 }
  })
})

test('a second address is added once to the existing notes', async () => {
  const staff = await anEmptyClinic()
  const { id } = await aPatient(staff, {
    first_name: 'Ana', last_name: 'Gil', email: 'ana@x.example', date_of_birth: '1980-01-02', notes: 'alergia'
  })
  const file = lines('Nombre;Apellidos;Email;F.N.', 'Ana;Gil;ana@x.example / ana2@x.example;02/01/1980')
  expect((await importFile(staff, PATIENT_IMPORTS, file)).counts).toMatchObject({ changed: 1 })
  expect((await staff.get(`${PATIENTS}/${id}`)).body.data.notes).toBe('alergia\nana2@x.example')
  expect((await importFile(staff, PATIENT_IMPORTS, file)).counts).toMatchObject({ same: 1 })
})
