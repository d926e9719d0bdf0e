import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPatient } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { until } from '../../support/cli.ts'
import { anUpload, importFile, PATIENT_IMPORTS as IMPORTS, upload } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const only = async (search: string) => {
  const { body } = await staff.get(`${PATIENTS}?search=${encodeURIComponent(search)}`)
  expect(body.total).toBe(1)
  return body.data[0]
}
const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n`

describe('the patients of a file', () => {
  test('are previewed with suggested columns and the first rows, and nothing is written yet', async () => {
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

  test('are counted by a check without changes, written by a run, and unchanged by the same file again', async () => {
    const file = lines(
      'external_id,first_name,last_name,email,phone,date_of_birth,locale,notes',
      'A1,Berta,Puig,berta@x.example,\'+34 600 11 22 33,1990-02-28,Español,"two\nlines"',
      'A2,Carla,Vidal,carla at x,,,,',
      ',,,,,,,',
      'A3,,Nadie,,,,,',
      'A4,Dora,Sanz,,,31/12/1999,fr,',
      'A1,Berta,Again,,,,,'
    )
    const { id } = await anUpload(staff, IMPORTS, file)
    const checked = await staff.post(`${IMPORTS}/${id}/check`)
    expect(checked.status, JSON.stringify(checked.body)).toBe(200)
    expect(checked.body.data).toEqual({
      new: 3,
      changed: 0,
      same: 0,
      wrong: 2,
      errors: [
        { line: 6, column: 'first_name', message: 'Must not be empty.' },
        { line: 8, column: '', message: 'An earlier row of the file is for the same record.' }
      ],
      lost: {
        total: 1,
        first: [{ line: 4, column: 'email', message: 'Must be an email address.', value: 'carla at x' }]
      },
      notes: { total: 0, first: [] },
      renamed: { total: 0, first: [] },
      passed_over: []
    })
    expect((await staff.get(`${IMPORTS}/${id}`)).body.data.state).toBe('checked')
    expect((await staff.get(PATIENTS)).body.total).toBe(0)

    const done = await importFile(staff, IMPORTS, file)
    expect(done).toMatchObject({ state: 'done', counts: { new: 3, changed: 0, same: 0, wrong: 2 }, progress: { done: 5, total: 5 }, preview: [] })
    expect(await only('berta')).toMatchObject({
      first_name: 'Berta', phone: '+34 600 11 22 33', date_of_birth: '1990-02-28', locale: 'es', notes: 'two\nlines'
    })
    expect(await only('dora')).toMatchObject({ date_of_birth: '1999-12-31', locale: 'fr', email: null })
    const again = await importFile(staff, IMPORTS, file)
    expect(again.counts).toEqual({ new: 0, changed: 0, same: 3, wrong: 2 })
    expect((await staff.get(PATIENTS)).body.total).toBe(3)
    const csv = await staff.get(`${IMPORTS}/${done.id}/errors.csv`)
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.bytes.toString()).toBe([
      '\uFEFFline,column,value,message,outcome',
      '4,email,carla at x,Must be an email address.,imported without this value',
      '6,first_name,,Must not be empty.,row left out',
      '8,,,An earlier row of the file is for the same record.,row left out',
      ''
    ].join('\r\n'))
  })

  test('are identified by email and date of birth together, regardless of the email\'s case', async () => {
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

  test('are identified by an external id before email and date of birth: another id is another person', async () => {
    const clinic = await instance.as('receptionist', await instance.anotherClinic())
    const head = 'external_id,first_name,last_name,email,date_of_birth'
    const [zoe, ana] = ['A1,Zoe,Ruiz,casa@x.example,2010-01-02', 'A2,Ana,Ruiz,Casa@x.example,2010-01-02']
    expect((await importFile(clinic, IMPORTS, lines(head, zoe))).counts).toMatchObject({ new: 1 })
    const second = await importFile(clinic, IMPORTS, lines(head, zoe, ana))
    expect(second.counts).toEqual({ new: 1, changed: 0, same: 1, wrong: 0 })
    const both = await importFile(clinic, IMPORTS, lines(head, ana, zoe))
    expect(both.counts).toEqual({ new: 0, changed: 0, same: 2, wrong: 0 })
    // Without ids, only the name can show which of the two patients a row means.
    const rows = [',Otra', 'Zoe,Ruiz', 'Eva,Ruiz'].map(name => `,${name},casa@x.example,2010-01-02`)
    const unnamed = await importFile(clinic, IMPORTS, lines(head, ...rows))
    expect(unnamed.counts).toEqual({ new: 1, changed: 0, same: 1, wrong: 1 })
    expect(unnamed.errors).toEqual([
      { line: 2, column: 'email', message: 'Several patients have this email and date of birth. Give each row an external ID.' }
    ])
  })

  test('have the same result in a check and a run if two rows would get the same external id', async () => {
    const clinic = await instance.as('receptionist', await instance.anotherClinic())
    await aPatient(clinic, { first_name: 'Uno', email: 'uno@x.example', date_of_birth: '1970-01-01' })
    await aPatient(clinic, { first_name: 'Dos', email: 'dos@x.example', date_of_birth: '1970-01-01' })
    const file = lines('Nr,email,date_of_birth', '12,uno@x.example,1970-01-01', '12,dos@x.example,1970-01-01')
    const { id } = await anUpload(clinic, IMPORTS, file)
    const { counts } = await importFile(clinic, IMPORTS, file)
    expect(counts).toEqual({ new: 0, changed: 1, same: 0, wrong: 1 })
    expect((await clinic.post(`${IMPORTS}/${id}/check`)).body.data).toMatchObject({ new: 0, changed: 0, same: 1, wrong: 1 })
  })

  test('are read despite control characters in headers, a first line sep=, and rows with too many cells', async () => {
    const odd = await importFile(staff, IMPORTS, 'sep=;\r\nfirst_name;last_name;email\u0007\r\nOda;Falk;wrong')
    expect(odd.lost.first).toEqual([
      { line: 3, column: 'email', message: 'Must be an email address.', value: 'wrong' }
    ])
    for (const file of [','.repeat(2_000_000), `a,b\n${'"\n",'.repeat(150_000)}`])
      expect(await upload(staff, IMPORTS, file)).toMatchObject({ status: 422, body: { code: 'file_unreadable', reason: 'not_csv' } })
    const alike = await upload(staff, IMPORTS, `${'a,'.repeat(499)}b\n1,2`)
    expect(alike.body.data.columns.at(-2)).toBe('a (499)')
  })

  test('are not shown in first lines of imports after an erasure, and a run that waited for it finds no file', async () => {
    const clinic = await instance.anotherClinic()
    const [caller, admin] = [await instance.as('receptionist', clinic), await instance.as('admin', clinic)]
    const { id } = await aPatient(caller, { first_name: 'Nora', last_name: 'Blau' })
    const done = await importFile(caller, IMPORTS, lines('Nora,Blau', 'Vera,Blau'))
    const open = await anUpload(caller, IMPORTS, lines('first_name,last_name', 'Nora,Blau'))
    const waiting = async () => (await instance.sql`select 1 from pg_locks where locktype = 'advisory' and not granted`).length
    const answers: Promise<{ status: number }>[] = []
    await instance.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${0x696D70}, hashtext(${clinic.id}))`
      answers.push(admin.post(`/api/v1/clinic/persons/${id}/erase`, { dry_run: false }))
      await until(async () => await waiting() === 1)
      answers.push(caller.post(`${IMPORTS}/${open.id}/run`))
      await until(async () => await waiting() === 2)
    })
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 404])
    expect((await caller.get(`${PATIENTS}?search=nora`)).body.total).toBe(0)
    expect((await caller.get(`${IMPORTS}/${done.id}`)).status).toBe(404)
  })

  test('are removed by an erasure with the clinic\'s waiting files, while those of other clinics stay', async () => {
    const file = lines('first_name,last_name', 'Nora,Blau')
    const other = await instance.as('receptionist', await instance.anotherClinic())
    const [ours, theirs] = [await anUpload(staff, IMPORTS, file), await anUpload(other, IMPORTS, file)]
    const { id } = await aPatient(staff, { first_name: 'Nora', last_name: 'Blau' })
    const erased = await (await instance.as('admin')).post(`/api/v1/clinic/persons/${id}/erase`, { dry_run: false })
    expect(erased.body.data.erased).toContainEqual({ module: 'core', what: 'files to import', count: expect.any(Number) })
    expect((await staff.get(`${IMPORTS}/${ours.id}`)).status).toBe(404)
    expect((await other.get(`${IMPORTS}/${theirs.id}`)).status).toBe(200)
    const left = await instance.sql`select distinct import_id::text as id from core_import_chunk where import_id in (${ours.id}, ${theirs.id})`
    expect(left.map(row => row.id)).toEqual([theirs.id])
  })
})
