import { readFile } from 'node:fs/promises'
import { WRONG } from '@svc/kit/cells'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { anUpload, endOf, importFile, PATIENT_IMPORTS as IMPORTS, upload } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const FILE = 'Vorname;Name;Mail;Mail 2\nKurt;Vorspann;;k@x.example\n'

describe('the options for reading a file', () => {
  test('can be sent with the file, as fields of the form', async () => {
    const { status, body: { data } } = await upload(staff, IMPORTS, FILE, undefined, {
      encoding: 'windows-1252', header_line: '0', date_order: 'mdy', name_order: 'first_last', system: 'gesden'
    })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      options: {
        encoding: 'windows-1252', header_line: 0, date_order: 'mdy', name_order: 'first_last', system: 'gesden'
      },
      form: { encoding: 'windows-1252', header_line: 0, passed_over: [] },
      columns: ['#1', '#2', '#3', '#4'],
      preview: [['Vorname', 'Name', 'Mail', 'Mail 2'], ['Kurt', 'Vorspann', '', 'k@x.example']],
      progress: { total: 2 }
    })
  })

  test('can be changed later, and removed by null', async () => {
    const { id } = await anUpload(staff, IMPORTS, FILE)
    const read = await staff.patch(`${IMPORTS}/${id}`, { header_line: 0, date_order: 'mdy' })
    expect(read.body.data).toMatchObject({
      columns: ['#1', '#2', '#3', '#4'], mapping: {}, options: { header_line: 0, date_order: 'mdy' }
    })
    const back = await staff.patch(`${IMPORTS}/${id}`, { header_line: null })
    expect(back.body.data).toMatchObject({
      columns: ['Vorname', 'Name', 'Mail', 'Mail 2'],
      mapping: { first_name: 'Vorname', last_name: 'Name', email: 'Mail' },
      options: { date_order: 'mdy' },
      form: { header_line: 1 }
    })
    expect(back.body.data.options).not.toHaveProperty('header_line')
  })

  test('are refused if they are unknown', async () => {
    const { id } = await anUpload(staff, IMPORTS, FILE)
    for (const [change, pointer] of [
      [{ encoding: 'klingon' }, '/encoding'],
      [{ header_line: 7 }, '/header_line'],
      [{ header_line: -1 }, '/header_line'],
      [{ date_order: 'ymd' }, '/date_order'],
      [{ system: 'Not One' }, '/system'],
      [{ mapping: { on_wrong: { shoe_size: 'leave_row_out' } } }, '/on_wrong/shoe_size'],
      [{ mapping: { email: { a: 'leave_row_out' } } }, '/mapping'],
      [{ mapping: { email: ['Mail', 'Fax'] } }, '/mapping/email'],
      [{ mapping: { email: ['Mail', 'Mail 2', 'Name', 'Vorname', 'Mail'] } }, '/mapping/email']
    ] as const) {
      const { status, body } = await staff.patch(`${IMPORTS}/${id}`, change)
      expect([status, body.errors?.[0].pointer], JSON.stringify(change)).toEqual([422, pointer])
    }
  })

  test('can name several columns for a field, while a single one stays a text', async () => {
    const { id } = await anUpload(staff, IMPORTS, FILE)
    const mapping = { first_name: 'Vorname', last_name: ['Name'], email: ['Mail', 'Mail 2'] }
    const { body } = await staff.patch(`${IMPORTS}/${id}`, { mapping })
    expect(body.data.mapping).toEqual({ first_name: 'Vorname', last_name: 'Name', email: ['Mail', 'Mail 2'] })
    expect((await staff.post(`${IMPORTS}/${id}/check`)).body.data).toMatchObject({ new: 1, wrong: 0 })
    await staff.post(`${IMPORTS}/${id}/run`)
    await endOf(staff, IMPORTS, id)
    expect((await staff.get('/api/v1/clinical/patients?search=vorspann')).body.data[0].email).toBe('k@x.example')
  })
})

const given = (name: string) => readFile(new URL(`../../fixtures/imports/reported/${name}`, import.meta.url))
const names = async () =>
  (await staff.get('/api/v1/clinical/patients?search=machacado')).body.data
    .map(({ first_name, last_name }: Record<string, string>) => `${first_name} ${last_name}`)

describe('a file with a byte of another encoding', () => {
  test('keeps the names on its other lines, and the report names the line that was read differently', async () => {
    const good = 'Nr;Nombre;Apellidos\nTAGY0;José;Machacado Muñoz 0\nTAGY1;José;Machacado Muñoz 1\n'
    expect((await importFile(staff, IMPORTS, good)).counts).toMatchObject({ new: 2 })
    const { id, form } = await anUpload(staff, IMPORTS, await given('stray-byte.csv'))
    expect(form).toMatchObject({ encoding: 'utf-8', other: 'windows-1252', other_lines: [5] })
    const checked = await staff.post(`${IMPORTS}/${id}/check`)
    expect(checked.body.data).toMatchObject({ new: 2, changed: 0, same: 2, wrong: 0 })
    expect((await importFile(staff, IMPORTS, await given('stray-byte.csv'))).counts).toMatchObject({ new: 2, same: 2 })
    expect((await names()).sort()).toEqual([0, 1, 2].map(n => `José Machacado Muñoz ${n}`))
  })

  test('has a row with an error if the file ends in the middle of its last letter', async () => {
    const { counts, errors } = await importFile(staff, IMPORTS, await given('truncated.csv'))
    expect(counts).toEqual({ new: 1, changed: 0, same: 0, wrong: 1 })
    expect(errors).toEqual([{ line: 3, column: 'Apellidos', message: WRONG.letters }])
  })
})

test('another encoding reads the names again, and an unclosed quotation mark is reported with its line', async () => {
  const { id, preview } = await anUpload(staff, IMPORTS, await given('macroman.csv'), undefined, { encoding: 'cp850' })
  expect(preview[1][0]).not.toBe('José')
  const { body } = await staff.patch(`${IMPORTS}/${id}`, { encoding: null })
  expect(body.data).toMatchObject({
    form: { encoding: 'macintosh' },
    preview: [['Ángel', 'Núñez Peña', 'revisión'], ['José', 'Muñoz', 'ok']]
  })
  expect(await upload(staff, IMPORTS, await given('unclosed-quote.csv'))).toMatchObject({
    status: 422, body: { code: 'file_unreadable', reason: 'quotes', line: 502 }
  })
})
