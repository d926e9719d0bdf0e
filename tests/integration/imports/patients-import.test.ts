import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPatient } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anUpload, importFile, PATIENT_IMPORTS as IMPORTS, upload } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
let it: Instance
let staff: Caller
beforeAll(async () => {
  it = await anInstance()
  staff = await it.as('receptionist')
})
afterAll(() => it.close())

const only = async (search: string) => {
  const { body } = await staff.get(`${PATIENTS}?search=${encodeURIComponent(search)}`)
  expect(body.total).toBe(1)
  return body.data[0]
}
const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n`

describe('patients from a file', () => {
  test('columns are guessed, the first rows are shown, and nothing is written yet', async () => {
    const file = lines('Nº paciente;Nombre;Apellidos;Correo electrónico;F. nacimiento;Otro', '17;Ana;García;ana@x.example;3/4/1985;zz')
    const { status, body: { data } } = await upload(staff, IMPORTS, file)
    expect(status).toBe(201)
    expect(data).toMatchObject({
      columns: ['Nº paciente', 'Nombre', 'Apellidos', 'Correo electrónico', 'F. nacimiento', 'Otro'],
      mapping: {
        external_id: 'Nº paciente',
        first_name: 'Nombre',
        last_name: 'Apellidos',
        email: 'Correo electrónico',
        date_of_birth: 'F. nacimiento'
      },
      preview: [['17', 'Ana', 'García', 'ana@x.example', '3/4/1985', 'zz']],
      state: 'uploaded',
      progress: { done: 0, total: 1 }
    })
    expect((await staff.get(PATIENTS)).body.total).toBe(0)
  })

  test('a check counts and changes nothing, a run writes, the same file again changes nothing', async () => {
    const file = lines(
      'external_id,first_name,last_name,email,phone,date_of_birth,locale,notes',
      'A1,Berta,Puig,berta@x.example,\'+34 600 11 22 33,1990-02-28,Español,"two\nlines"',
      'A2,Carla,Vidal,no-address,,,,',
      ',,,,,,,',
      'A3,,Nadie,,,,,',
      'A4,Dora,Sanz,,,31/12/1999,fr,',
      'A1,Berta,Again,,,,,'
    )
    const { id } = await anUpload(staff, IMPORTS, file)
    const checked = await staff.post(`${IMPORTS}/${id}/check`)
    expect(checked.status, JSON.stringify(checked.body)).toBe(200)
    expect(checked.body.data).toEqual({
      new: 2,
      changed: 0,
      same: 0,
      wrong: 3,
      errors: [
        { line: 4, column: 'email', message: 'Must be an email address.' },
        { line: 6, column: 'first_name', message: 'Must not be empty.' },
        { line: 8, column: '', message: 'An earlier row of the file is the same record.' }
      ]
    })
    expect((await staff.get(`${IMPORTS}/${id}`)).body.data.state).toBe('checked')
    expect((await staff.get(PATIENTS)).body.total).toBe(0)

    const done = await importFile(staff, IMPORTS, file)
    expect(done).toMatchObject({ state: 'done', counts: { new: 2, changed: 0, same: 0, wrong: 3 }, progress: { done: 5, total: 5 }, preview: [] })
    expect(await only('berta')).toMatchObject({
      first_name: 'Berta', phone: '+34 600 11 22 33', date_of_birth: '1990-02-28', locale: 'es', notes: 'two\nlines'
    })
    expect(await only('dora')).toMatchObject({ date_of_birth: '1999-12-31', locale: 'fr', email: null })
    const again = await importFile(staff, IMPORTS, file)
    expect(again.counts).toEqual({ new: 0, changed: 0, same: 2, wrong: 3 })
    expect((await staff.get(PATIENTS)).body.total).toBe(2)
    const csv = await staff.get(`${IMPORTS}/${done.id}/errors.csv`)
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.bytes.toString()).toBe('\uFEFFline,column,message\r\n4,email,Must be an email address.\r\n6,first_name,Must not be empty.\r\n8,,An earlier row of the file is the same record.\r\n')
  })

  test('email and date of birth together name a patient, whatever the case of the address', async () => {
    const mira = await aPatient(staff, { first_name: 'Mira', last_name: 'Costa', email: 'Mira@X.example', date_of_birth: '1971-05-06' })
    const file = lines(
      'first_name,last_name,email,date_of_birth,phone',
      'Mira,Costa,MIRA@x.EXAMPLE,1971-05-06,+34 600 44 55 66',
      'Mira,Hija,mira@x.example,2001-05-06,'
    )
    expect((await importFile(staff, IMPORTS, file)).counts).toEqual({ new: 1, changed: 1, same: 0, wrong: 0 })
    expect((await staff.get(`${PATIENTS}/${mira.id}`)).body.data).toMatchObject({ last_name: 'Costa', phone: '+34 600 44 55 66' })
    expect(await only('hija')).toMatchObject({ date_of_birth: '2001-05-06' })
    expect((await importFile(staff, IMPORTS, file)).counts).toEqual({ new: 0, changed: 0, same: 2, wrong: 0 })
  })

  test('an erasure deletes the clinic\'s files that wait, and no other clinic\'s', async () => {
    const file = lines('first_name,last_name', 'Nora,Blau')
    const other = await it.as('receptionist', await it.anotherClinic())
    const [ours, theirs] = [await anUpload(staff, IMPORTS, file), await anUpload(other, IMPORTS, file)]
    const { id } = await aPatient(staff, { first_name: 'Nora', last_name: 'Blau' })
    const erased = await (await it.as('admin')).post(`/api/v1/clinic/persons/${id}/erase`, { dry_run: false })
    expect(erased.body.data.erased).toContainEqual({ module: 'core', what: 'files to import', count: expect.any(Number) })
    expect((await staff.get(`${IMPORTS}/${ours.id}`)).status).toBe(404)
    expect((await other.get(`${IMPORTS}/${theirs.id}`)).status).toBe(200)
    const left = await it.sql`select distinct import_id::text as id from core_import_chunk where import_id in (${ours.id}, ${theirs.id})`
    expect(left.map(row => row.id)).toEqual([theirs.id])
  })
})
