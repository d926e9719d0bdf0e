import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { anUpload, importFile, PATIENT_IMPORTS, TREATMENT_IMPORTS } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  await staff.patch('/api/v1/clinic', { country: 'ES', locale: 'es' })
})
afterAll(() => instance.close())

const reported = (name: string) => readFile(new URL(`../../fixtures/imports/reported/${name}`, import.meta.url))
const patientsOf = async (search: string): Promise<any[]> =>
  (await staff.get(`${PATIENTS}?search=${search}&page_size=50`)).body.data
    .sort((a: any, b: any) => a.first_name.localeCompare(b.first_name))
const check = async (file: string | Uint8Array, options: Record<string, unknown> = {}) => {
  const { id } = await anUpload(staff, PATIENT_IMPORTS, file)
  if (Object.keys(options).length > 0) await staff.patch(`${PATIENT_IMPORTS}/${id}`, options)
  return (await staff.post(`${PATIENT_IMPORTS}/${id}/check`)).body.data
}

describe('dates of birth in a file', () => {
  test('are read with times, with the year first, without separators, and with a two-digit year', async () => {
    const { counts, lost } = await importFile(staff, PATIENT_IMPORTS, await reported('dates.csv'))
    expect([counts, lost.total]).toMatchObject([{ new: 7, wrong: 0 }, 0])
    expect((await patientsOf('Fechas')).map(({ date_of_birth }) => date_of_birth)).toEqual(Array(7).fill('1985-04-03'))
  })

  test('are left empty if the cell says that there is none', async () => {
    const { counts, lost } = await importFile(staff, PATIENT_IMPORTS, await reported('empty-dates.csv'))
    expect([counts, lost.total]).toMatchObject([{ new: 5, wrong: 0 }, 0])
    expect((await patientsOf('Sinfecha')).map(({ date_of_birth }) => date_of_birth)).toEqual(Array(5).fill(null))
  })

  test('are reported in the check with their interpretation if they are ambiguous', async () => {
    const file = 'first_name;last_name;date_of_birth\nAna;Uno;3/4/1985\nEva;Dos;1990-03-15\n'
    expect((await check(file)).notes).toMatchObject({
      total: 1,
      first: [{
        line: 2, column: 'date_of_birth', value: '3/4/1985 → 1985-04-03',
        message: 'Could be read in two ways. Read as day, month, year.'
      }]
    })
    expect((await check(file, { date_order: 'mdy' })).notes.first).toMatchObject([{ value: '3/4/1985 → 1985-03-04' }])
  })

  test('are read as serial numbers only if the whole column has them', async () => {
    const serials = await check('first_name;last_name;date_of_birth\nAna;Uno;31412\nEva;Dos;31413\n')
    expect([serials.new, serials.lost.total, serials.notes.first[0].value]).toEqual([2, 0, '31412 → 1985-12-31'])
    const mixed = await check('first_name;last_name;date_of_birth\nAna;Uno;31412\nEva;Dos;1/2/1985\n')
    expect([mixed.new, mixed.lost.first]).toMatchObject([2, [{ line: 2, value: '31412' }]])
  })
})

test('phone numbers of a file are kept with the patient and the remark', async () => {
  const { counts, lost, notes } = await importFile(staff, PATIENT_IMPORTS, await reported('phones.csv'))
  expect([counts, lost.total]).toMatchObject([{ new: 10, wrong: 0 }, 0])
  expect(notes.first.map(({ line }: { line: number }) => line)).toEqual([5, 9])
  expect((await patientsOf('Telefonos')).map(({ phone, notes: remark }) => [phone, remark])).toEqual([
    ['(+34) 600 111 222', null],
    ['+34 600 111 223', null],
    ['0600111222', null],
    ['600 111 222', '600 111 222 (madre)'],
    ['600111222 ext. 12', null],
    ['0612345678', null],
    ['0151-2345678', null],
    ['600111222', '910222333'],
    [null, null],
    [null, null]
  ])
})

test('a number that no country has, or that a spreadsheet truncated, is reported and the patient kept', async () => {
  const found = await check('first_name;last_name;phone\nAna;Uno;600000\nEva;Dos;"6,12346E+08"\nSol;Tres;+999 1234567\n')
  expect([found.new, found.lost.first.map(({ message }: { message: string }) => message)]).toEqual([3, [
    'Has too few digits for a phone number of its country.',
    'A spreadsheet cut this number, as in 6.12E+08. Format the column as text and export it again.',
    'Begins with a country code that doesn’t exist.'
  ]])
})

test('the API refuses an impossible number with the reason, but keeps an earlier one', async () => {
  const ana = { first_name: 'Ana', last_name: 'Ruiz' }
  const refused = await staff.post(PATIENTS, { ...ana, phone: '600000' })
  expect([refused.status, refused.body.errors]).toEqual([422, [
    { pointer: '/phone', message: 'Has too few digits for a phone number of its country.' }
  ]])
  const { body } = await staff.post(PATIENTS, { ...ana, phone: '\u202A(+34) 600–111 ٢٢٢\u202C' })
  expect(body.data.phone).toBe('(+34) 600-111 222')
  await instance.sql`update clinical_patient set phone = '600000' where id = ${body.data.id}`
  expect((await staff.patch(`${PATIENTS}/${body.data.id}`, { phone: '600000', notes: 'x' })).status).toBe(200)
})

describe('tax rates and prices in a file', () => {
  const checkTreatments = async (file: string | Uint8Array) => {
    const { id } = await anUpload(staff, TREATMENT_IMPORTS, file)
    return (await staff.post(`${TREATMENT_IMPORTS}/${id}/check`)).body.data
  }

  test('in a column of fractions are read as percentages, and each row reports it', async () => {
    const { counts, notes } = await importFile(staff, TREATMENT_IMPORTS, await reported('vat-fractions.csv'))
    expect([counts, notes.first.map(({ value }: { value: string }) => value)])
      .toMatchObject([{ new: 3, wrong: 0 }, ['0,21 → 21 %', '0,1 → 10 %', '0,04 → 4 %']])
    const vats = (await staff.get('/api/v1/catalog/treatments?search=VF')).body.data
    expect(vats.map(({ code, vat }: any) => `${code} ${vat}`).sort()).toEqual(['VF1 21', 'VF2 10', 'VF3 4'])
  })

  test('are reported if they are ambiguous, negative or missing', async () => {
    const found = await checkTreatments([
      'code;name;unit_price;vat', 'T1;Uno;60,00;0,21', 'T2;Dos;60,00;21', 'T3;Tres;60.000;21', 'T4;Cuatro;80.0000;exento',
      'T5;Cinco;-5;21', 'T6;Seis;;21'
    ].join('\n'))
    expect([found.new, found.errors.map(({ line, message }: any) => `${line} ${message}`)]).toEqual([2, [
      '2 Can be read in two ways: 0.21 may be 21 % or 0.21 %. Write it with a percent sign.',
      '4 Can be read in two ways: a point or comma before three digits parts thousands or decimals. Write it with two decimals.',
      '6 A price can’t be below zero.',
      '7 A new record needs a price.'
    ]])
  })
})
