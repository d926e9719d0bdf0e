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
const anEmptyClinic = async () => await instance.as('receptionist', await instance.anotherClinic())
const check = async (staff: Caller, file: string | Uint8Array) => {
  const { id } = await anUpload(staff, PATIENT_IMPORTS, file)
  return (await staff.post(`${PATIENT_IMPORTS}/${id}/check`)).body.data
}
const peopleOf = async (staff: Caller) =>
  (await staff.get('/api/v1/clinical/patients')).body.data.map((one: any) => `${one.first_name} ${one.last_name}`).sort()

const ANOTHER = { column: 'Nº', message: 'Another person has this number.' }

test('a number that another person has makes the row wrong, in the check and in the run', async () => {
  const staff = await anEmptyClinic()
  expect((await importFile(staff, PATIENT_IMPORTS, await input('5-running-numbers-overwrite/system-a'))).counts)
    .toMatchObject({ new: 1, wrong: 0 })
  const file = await input('5-running-numbers-overwrite/system-b')
  expect(await check(staff, file)).toMatchObject({ new: 0, changed: 0, wrong: 1, errors: [{ line: 2, ...ANOTHER }] })
  expect(await importFile(staff, PATIENT_IMPORTS, file))
    .toMatchObject({ counts: { new: 0, changed: 0, same: 0, wrong: 1 }, errors: [{ line: 2, ...ANOTHER }] })
  expect(await peopleOf(staff)).toEqual(['Rosa Fichavieja Gil'])
})

test('without birth dates a number belongs to who has the name or the contact', async () => {
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

test('twins with their mother’s address are both stored, and a later file with one of them renames nobody', async () => {
  const staff = await anEmptyClinic()
  const twins = await input('13-twins/twins')
  expect(await check(staff, twins)).toMatchObject({ new: 2, wrong: 0 })
  expect((await importFile(staff, PATIENT_IMPORTS, twins)).counts).toEqual({ new: 2, changed: 0, same: 0, wrong: 0 })
  expect((await importFile(staff, PATIENT_IMPORTS, await input('13-twins/only-eva'))).counts)
    .toEqual({ new: 0, changed: 0, same: 1, wrong: 0 })
  expect((await importFile(staff, PATIENT_IMPORTS, twins)).counts).toEqual({ new: 0, changed: 0, same: 2, wrong: 0 })
  expect(await peopleOf(staff)).toEqual(['Ada Gemelas TAG', 'Eva Gemelas TAG'])
})

test('a file with the other twin adds her, and renames nobody', async () => {
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
