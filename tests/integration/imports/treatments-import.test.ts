import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { anUpload, importFile, TREATMENT_IMPORTS as IMPORTS, upload } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const TREATMENTS = '/api/v1/catalog/treatments'
let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const only = async (search: string) => {
  const { body } = await staff.get(`${TREATMENTS}?search=${encodeURIComponent(search)}`)
  expect(body.total).toBe(1)
  return body.data[0]
}

test('texts in languages, names of categories, amounts in clinic or ISO format, yes and no are read', async () => {
  const file = [
    'Código\tNombre\tname_en\tCategoría\tPrecio\tIVA\tActivo',
    'EMP-1\tEmpaste\tFilling\tObturaciones\t1.045,50 €\t10 %\tSí',
    'EMP-2\tEmpaste doble\t\trestoration\t45.00\t0\tno',
    'EMP-3\tEmpaste triple\t\tCocina\t45\t0\tno',
    'EMP-4\tEmpaste caro\t\t\t12,345\t0\tno',
    'emp-1\tOtra vez\t\t\t1\t0\t'
  ].join('\n')
  const done = await importFile(staff, IMPORTS, file)
  expect(done.counts).toEqual({ new: 3, changed: 0, same: 0, wrong: 2 })
  expect(done.errors).toEqual([
    { line: 5, column: 'Precio', message: 'Has more decimals than the currency.' },
    { line: 6, column: '', message: 'An earlier row of the file is for the same record.' }
  ])
  expect(done.lost.first).toEqual([
    { line: 4, column: 'Categoría', message: 'Unknown category.', value: 'Cocina' }
  ])
  expect(await only('EMP-1')).toMatchObject({
    code: 'EMP-1', name: { es: 'Empaste', en: 'Filling' }, category: 'restoration', unit_price: '1045.50', vat: '10', active: true
  })
  expect(await only('EMP-2')).toMatchObject({ unit_price: '45.00', active: false, category: 'restoration' })
  expect((await importFile(staff, IMPORTS, file)).counts).toEqual({ new: 0, changed: 0, same: 3, wrong: 2 })

  const next = 'code;unit_price;name_fr\nEmp-1;;Obturation\nEMP-2;50;'
  expect((await importFile(staff, IMPORTS, next)).counts).toEqual({ new: 0, changed: 2, same: 0, wrong: 0 })
  expect(await only('EMP-1')).toMatchObject({
    code: 'EMP-1', unit_price: '1045.50', name: { es: 'Empaste', en: 'Filling', fr: 'Obturation' }
  })
})

test('what a treatment counts, and a filling\'s surfaces, are read in the words of files', async () => {
  const admin = await instance.as('admin', await instance.anotherClinic())
  const file = [
    'code,name,price,Unidad,Caras',
    'P1,Puente,850.50,una vez,',
    'P2,Empaste,60,Por diente,2',
    'P3,Retenedor,90,je Kiefer,3+',
    'P4,Corona,400,,',
    'P5,Otro,40,mensual,9'
  ].join('\n')
  const done = await importFile(admin, IMPORTS, file)
  expect(done.counts).toEqual({ new: 5, changed: 0, same: 0, wrong: 0 })
  expect(done.lost.first.map(({ column, message }: Record<string, string>) => [column, message])).toEqual([
    ['Unidad', 'Must be a unit that the service has.'],
    ['Caras', 'Must be a number from 1 to 5.']
  ])
  const { body } = await admin.get(TREATMENTS)
  expect(body.data.map(({ code, counts, surfaces }: Record<string, unknown>) => [code, counts, surfaces])).toEqual([
    ['P1', 'once', null], ['P2', 'tooth', 2], ['P3', 'piece', 3], ['P4', 'tooth', null], ['P5', 'tooth', null]
  ])
})

test('a category can have the name that other programs use', async () => {
  const admin = await instance.as('admin', await instance.anotherClinic())
  const rows = ['Conservadora', 'KFO', 'Hygiène', 'الأشعة'].map((name, at) => `C${at + 1},Treatment,${name},10`)
  const file = ['code,name,category,unit_price', ...rows].join('\n')
  expect((await importFile(admin, IMPORTS, file)).counts).toEqual({ new: 4, changed: 0, same: 0, wrong: 0 })
  const { body } = await admin.get(TREATMENTS)
  const categories = body.data.map(({ code, category }: Record<string, string>) => [code, category])
  expect(Object.fromEntries(categories))
    .toEqual({ C1: 'restoration', C2: 'orthodontics', C3: 'prevention', C4: 'diagnosis' })
})

test('a row that would take the code of an earlier row is an error, in the check and in the run', async () => {
  const admin = await instance.as('admin', await instance.anotherClinic())
  await importFile(admin, IMPORTS, 'external_id,code,name,unit_price\nE2,OLD,Old,10')
  const file = 'external_id,code,name,unit_price\nE1,ABC,New,10\nE2,ABC,Old,10\nE2,XYZ,Old,10\nE4,XYZ,Other,10'
  const { id } = await anUpload(admin, IMPORTS, file)
  const counts = { new: 1, changed: 1, same: 0, wrong: 2 }
  expect((await admin.post(`${IMPORTS}/${id}/check`)).body.data).toMatchObject(counts)
  expect((await importFile(admin, IMPORTS, file)).counts).toEqual(counts)
})

test('ambiguous prices are errors, and a first price activates a starter treatment', async () => {
  const admin = await instance.as('admin', await instance.anotherClinic())
  const file = 'code,name,unit_price,active\nA1,Inlay,"1,500",\nA2,Onlay,0.500,\nA3,Corona,0,no\nA4,Perno,0,no'
  const done = await importFile(admin, IMPORTS, file)
  expect([done.counts.new, done.errors]).toEqual([2, [
    { line: 2, column: 'unit_price', message: 'Has more decimals than the currency.' },
    { line: 3, column: 'unit_price', message: 'Has more decimals than the currency.' }
  ]])
  await importFile(admin, IMPORTS, 'code,unit_price,active\nA3,50,\nA4,60,no')
  const { data } = (await admin.get(TREATMENTS)).body
  expect(data.map(({ code, active }: any) => [code, active])).toEqual(expect.arrayContaining([['A3', true], ['A4', false]]))
})

test('a price with tax stays as it was entered', async () => {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  expect((await admin.patch('/api/v1/clinic', { prices_include_tax: true })).status).toBe(200)
  await importFile(admin, IMPORTS, 'code,name,unit_price,vat\nT1,Crown,99.99,21')
  const { body: { data } } = await admin.get(TREATMENTS)
  expect(data[0]).toMatchObject({ unit_price: '99.99', prices_include_tax: true, vat: '21' })
  const { id } = await anUpload(admin, IMPORTS, 'code,name,unit_price\nT1,Crown,89.99')
  await admin.patch('/api/v1/clinic', { prices_include_tax: false })
  expect(await admin.post(`${IMPORTS}/${id}/check`)).toMatchObject({ status: 409, body: { code: 'price_mode_changed' } })
})

test('a file that is unreadable, too large or without known columns is refused', async () => {
  for (const [file, reason] of [['', 'empty'], ['code,name\n', 'empty'], ['PK\u0003\u0004', 'not_csv'], ['code\n"A', 'quotes']] as const)
    expect(await upload(staff, IMPORTS, file)).toMatchObject({ status: 422, body: { code: 'file_unreadable', reason } })
  expect((await upload(staff, IMPORTS, new Uint8Array(20_000_001).fill(65))).status).toBe(413)
  expect(await upload(staff, IMPORTS, 'a\n1', { code: 'b' })).toMatchObject({
    status: 422, body: { errors: [{ pointer: '/mapping/code', message: 'The file has no such column.' }] }
  })
  const { id, mapping } = await anUpload(staff, IMPORTS, 'a;b;c\nX1;Inlay;12', { code: 'a' })
  expect(mapping).toEqual({ code: 'a' })
  const mapped = await staff.patch(`${IMPORTS}/${id}`, { mapping: { code: 'a', name: 'b', unit_price: 'c' } })
  expect(mapped.body.data.mapping).toEqual({ code: 'a', name: 'b', unit_price: 'c' })
  expect((await staff.post(`${IMPORTS}/${id}/run`)).status).toBe(202)
  expect((await staff.post(`${IMPORTS}/${id}/run`)).status).toBe(409)
  const [{ count }] = await instance.sql`select count(*)::int from core_audit where action = 'import_run' and target_id = ${id}` as unknown as [{ count: number }]
  expect(count).toBe(1)
})

test.each([
  ['utf-16le', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['windows-1252', (text: string) => Buffer.from(text, 'latin1')]
])('%s is recognised by its bytes', async (_name, encode) => {
  const { columns, preview } = await anUpload(staff, IMPORTS, encode('Código;Descripción\nX9;Limpieza más flúor'))
  expect([columns, preview]).toEqual([['Código', 'Descripción'], [['X9', 'Limpieza más flúor']]])
})

test('a module can add patients, and add and change treatments by its own ids', async () => {
  const { ctx } = instance.runtime.host.registry.get('budget')!
  const patient = await ctx.use('clinical').createPatient(instance.clinic.id, { first_name: 'Iris', last_name: 'Mota' })
  expect((await staff.get(`/api/v1/clinical/patients/${patient.id}`)).body.data).toMatchObject({ first_name: 'Iris', locale: 'es' })

  const catalog = ctx.use('catalog')
  const fields = { code: 'MOD-1', name: { es: 'Férula' }, unit_price: '80.00', vat: '21' }
  const by = { system: 'lab', id: 'F-1' }
  const { id } = await catalog.upsertTreatment(instance.clinic.id, by, fields)
  expect(await catalog.upsertTreatment(instance.clinic.id, by, { ...fields, unit_price: '90.00' })).toMatchObject({
    id, unit_price: '90.00', external_ids: { lab: 'F-1' }
  })
  expect((await staff.get(`${TREATMENTS}/${id}`)).body.data).toMatchObject({ code: 'MOD-1', unit_price: '90.00' })
  await expect(catalog.upsertTreatment(instance.clinic.id, { ...by, id: 'F-2' }, fields)).rejects.toMatchObject({ code: 'code_taken' })
})

test('a description is used as name if there is no column for it, and a code that names another treatment is listed', async () => {
  const clinic = await instance.as('admin', await instance.anotherClinic())
  const head = 'Código;Descripción;Precio;IVA'
  const first = await importFile(clinic, IMPORTS, `${head}\nD1;Empaste;45;0\nD2;Corona;300;0`)
  expect(first).toMatchObject({ counts: { new: 2, wrong: 0 }, mapping: { name: 'Descripción' } })
  const { id } = await anUpload(clinic, IMPORTS, `${head}\nD1;Extracción;45;0\nD2;CORONA;310;0`)
  expect((await clinic.post(`${IMPORTS}/${id}/check`)).body.data).toMatchObject({
    changed: 2, renamed: { total: 1, first: [{ line: 2, from: 'D1 Empaste', to: 'D1 Extracción' }] }
  })
})
