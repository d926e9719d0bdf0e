import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTANCE, aPatient, aSentBudget, aVerifiedPatient, eventually } from '../../support/builders.ts'
import { anUpload, importFile } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { loadDocuments } from '../../support/documents/load-documents.ts'
import { install, putPackage, schedule } from '../../support/modules/packages.ts'

const RECALLS = '/api/v1/recall/recalls'
const rowOf = async (instance: Instance, name: string) =>
  (await instance.sql`select state, version, applied_revision, error_message from core_module where name = ${name}`)[0]
const history = async (instance: Instance) =>
  (await instance.sql`select what, from_version from recall_history order by id`).map(row => ({ ...row }))

/** The test has its own instance, because every step of a module's life needs one. */
async function withInstance(run: (instance: Instance) => Promise<void>) {
  const instance = await anInstance()
  try {
    await run(instance)
  } finally {
    await instance.close()
  }
}

describe('a community module', () => {
  it('has no route, no permission and no place in the sidebar before it is installed', () =>
    withInstance(async (instance) => {
      putPackage(instance.storage, 'svc-module-recall')
      await instance.restart()
      const staff = await instance.as('admin')
      expect((await staff.get(RECALLS)).status).toBe(404)
      expect((await staff.get('/me')).body.data.permissions).not.toContain('recall.read')
      expect(
        (await staff.get('/api/v1/modules/-/active')).body.data.map((module: { name: string }) => module.name)
      ).not.toContain('recall')
    }))

  it('is upgraded with its new migration, its seed and the version that was installed, at any later time', () =>
    withInstance(async (instance) => {
      await install(instance, 'svc-module-recall')
      await instance.sql`update recall_reason set months = 1 where code in ('checkup', 'cleaning')`
      await instance.sql`delete from recall_reason where code = 'xray'`
      rmSync(join(instance.storage, 'modules/node_modules/svc-module-recall'), { recursive: true })
      putPackage(instance.storage, ['svc-module-recall', 'svc-module-recall-1.1.0'], 'svc-module-recall-next')
      for (let restarts = 0; restarts < 3; restarts += 1) await instance.restart()

      const staff = await instance.as('admin')
      expect((await staff.get(RECALLS)).body).toMatchObject({ status: 503, code: 'module_errored' })
      expect(await rowOf(instance, 'recall')).toMatchObject({
        state: 'installed',
        version: '1.0.0',
        error_message: expect.stringContaining('svc modules upgrade recall')
      })

      await schedule(instance, 'upgrade', 'recall')
      await instance.restart()
      expect(await rowOf(instance, 'recall')).toEqual({
        state: 'installed',
        version: '1.1.0',
        applied_revision: '0001_note',
        error_message: null
      })
      expect(await history(instance)).toEqual([
        { what: 'install', from_version: null },
        { what: 'post_upgrade', from_version: '1.0.0' }
      ])
      // A new record; an updated one; one with noupdate; and one that a user deleted and stays deleted.
      expect(
        (await instance.sql`select code, months from recall_reason order by 1`).map(row => [row.code, row.months])
      ).toEqual([
        ['braces', 1],
        ['checkup', 5],
        ['cleaning', 1]
      ])
      const patient = await aPatient(staff)
      expect(
        (await staff.post(RECALLS, { patient_id: patient.id, reason: 'braces', due_on: '2027-03-01' })).body.data
      ).toHaveProperty('note', null)
    }))

  it('leaves nothing behind when it is removed, and its routes are 404 again', () =>
    withInstance(async (instance) => {
      await install(instance, 'svc-module-recall')
      await schedule(instance, 'uninstall', 'recall')
      await instance.restart()
      expect(await rowOf(instance, 'recall')).toMatchObject({ state: 'uninstalled', error_message: null })
      expect(await instance.sql`select relname from pg_class where relname like 'recall%'`).toEqual([])
      expect((await (await instance.as('admin')).get(RECALLS)).status).toBe(404)
    }))
})

describe('an installed community module', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await anInstance()
    await install(instance, 'svc-module-recall')
    await loadDocuments()
  })
  afterAll(() => instance.close())

  it('has its tables, seed, hook, endpoints, permissions and sidebar entry', async () => {
    expect(await rowOf(instance, 'recall')).toEqual({
      state: 'installed',
      version: '1.0.0',
      applied_revision: '0000_recall',
      error_message: null
    })
    expect((await instance.sql`select code from recall_reason order by 1`).map(row => row.code)).toEqual([
      'checkup',
      'cleaning',
      'xray'
    ])
    expect(await history(instance)).toEqual([{ what: 'install', from_version: null }])

    const staff = await instance.as('receptionist')
    expect((await staff.get(RECALLS)).body).toMatchObject({ data: expect.any(Array), page: 1, page_size: 20 })
    const active = (await staff.get('/api/v1/modules/-/active')).body.data.find(
      (module: { name: string }) => module.name === 'recall'
    )
    expect(active).toMatchObject({
      version: '1.0.0', category: 'community', permissions: ['recall.read', 'recall.write'],
      navigation: [{ label: 'recall.navigation.recalls', to: '/recall', permission: 'recall.read' }]
    })
  })

  it('is limited to its permissions, its clinic and its schemas like any other', async () => {
    const staff = await instance.as('receptionist')
    const patient = await aPatient(staff)
    const body = { patient_id: patient.id, reason: 'xray', due_on: '2027-03-01' }
    expect((await (await instance.as('dentist')).post(RECALLS, body)).body.detail).toBe(
      'Permission denied: recall.write'
    )
    expect((await (await instance.as('hygienist')).get(RECALLS)).body.detail).toBe('Permission denied: recall.read')

    const { status, body: made } = await staff.post(RECALLS, body)
    expect([status, made.data]).toMatchObject([
      201,
      { reason: 'xray', due_on: '2027-03-01', done_at: null, patient: { first_name: 'Lucía', last_name: 'Muñoz' } }
    ])
    const pointers = (answer: any) => answer.body.errors.map((error: { pointer: string }) => error.pointer)
    expect(pointers(await staff.post(RECALLS, { ...body, due_on: '2027-02-30', why: 1 }))).toEqual(['/due_on', '/why'])
    expect(pointers(await staff.post(RECALLS, { ...body, reason: 'none' }))).toEqual(['/reason'])
    expect((await staff.get(`${RECALLS}?page=0`)).status).toBe(422)

    const done = `${RECALLS}/${made.data.id}/done`
    const stranger = await instance.as('admin', await instance.anotherClinic())
    expect((await stranger.post(done)).status).toBe(404)
    expect((await staff.post(done)).body.data.done_at).toMatch(/Z$/)
    expect((await staff.post(done)).body).toMatchObject({ status: 409, code: 'recall_done' })
    const { paths } = (await staff.get('/api/v1/openapi.json')).body
    expect(Object.keys(paths[RECALLS].get.responses['200'].content)).toEqual(['application/json'])
    expect(paths[RECALLS].get.responses).not.toHaveProperty('303')
  })

  it('has its own kind of import: rows of a file become its records, and the same file changes nothing', async () => {
    const clinic = await instance.anotherClinic()
    const staff = await instance.as('receptionist', clinic)
    const ana = await aPatient(staff, { first_name: 'Ana', last_name: 'Vidal' })
    const file = 'Nombre;Motivo;Fecha\nana vidal;xray;2027-03-01\nAna Vidal;teeth;2027-03-01\nNadie;xray;2027-03-01'
    const imports = '/api/v1/recall/imports'
    const { id, mapping } = await anUpload(staff, imports, file)
    expect(mapping).toEqual({ patient: 'Nombre', reason: 'Motivo', due_on: 'Fecha' })
    expect((await staff.post(`${imports}/${id}/check`)).body.data).toEqual({
      new: 1, changed: 0, same: 0, wrong: 2,
      errors: [
        { line: 3, column: 'Motivo', message: 'Unknown reason.' },
        { line: 4, column: 'Nombre', message: 'Must name exactly one patient.' }
      ]
    })
    expect((await importFile(staff, imports, file)).counts).toMatchObject({ new: 1, wrong: 2 })
    expect((await importFile(staff, imports, file)).counts).toMatchObject({ new: 0, changed: 0, same: 1 })
    expect((await importFile(staff, imports, file.replace('03-01', '04-01'))).counts).toMatchObject({ new: 0, changed: 1 })
    expect((await staff.get(RECALLS)).body.data).toMatchObject([{ patient_id: ana.id, due_on: '2027-04-01' }])
    expect((await (await instance.as('dentist', clinic)).get(`${imports}/${id}`)).status).toBe(403)
    expect((await (await instance.as('receptionist')).get(`${imports}/${id}`)).status).toBe(404)
    expect((await staff.post(imports, { a: 1 })).status).toBe(415)
  })

  it('creates patients, and creates and changes treatments by its own ids', async () => {
    const staff = await instance.as('receptionist')
    const due = { reason: 'cleaning', due_on: '2027-05-01' }
    const made = await staff.post(`${RECALLS}/new-patient`, { first_name: 'Eva', last_name: 'Nueva', ...due })
    expect([made.status, made.body.data]).toMatchObject([201, { ...due, patient: { first_name: 'Eva' } }])
    const refused = await staff.post(`${RECALLS}/new-patient`, { first_name: 'Eva', last_name: 'Segunda', ...due, reason: 'x' })
    expect(refused.status).toBe(422)
    expect((await staff.get('/api/v1/clinical/patients?search=segunda')).body.total).toBe(0)

    const treatment = () => staff.post('/api/v1/recall/reasons/xray/treatment')
    const [first, second] = [await treatment(), await treatment()]
    expect(first.body.data).toMatchObject({ code: 'RECALL-xray', external_ids: { recall: 'xray' }, active: false })
    expect(second.body.data.id).toBe(first.body.data.id)
  })

  it('handles an accepted budget once, even if its event is delivered twice', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
    const recalls = () => instance.sql`select reason, due_on::text from recall where budget_id = ${budget.id}`
    await eventually(async () => (await recalls()).length === 1, 'the recall')
    await instance.sql`update core_delivery set status = 'pending' where module_name = 'recall'`
    await instance.restart()
    await eventually(
      async () =>
        (await instance.sql`select 1 from core_delivery where module_name = 'recall' and status = 'pending'`).length
        === 0,
      'the second delivery'
    )
    expect(await recalls()).toHaveLength(1)
  })
})

describe('a package that is broken', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await anInstance()
    await install(instance, 'svc-module-broken-import', 'svc-module-broken-start', 'svc-module-broken-route')
  })
  afterAll(() => instance.close())

  const fails = async (path: string) => {
    const { status, body } = await instance.anonymous().get(path)
    return [status, body.code]
  }
  const worksOtherwise = async () =>
    expect((await (await instance.as('admin')).get('/api/v1/budget/budgets')).status).toBe(200)

  it('at import is marked as failed and its routes are 503, while everything else works', async () => {
    expect((await rowOf(instance, 'broken_import'))!.error_message).toContain('there is no such thing')
    expect(await fails('/api/v1/broken_import/things')).toEqual([503, 'module_errored'])
    await worksOtherwise()
  })

  it('at start is marked as failed and its routes are 503, while everything else works', async () => {
    expect((await rowOf(instance, 'broken_start'))!.error_message).toContain('not in this life')
    expect(await fails('/api/v1/broken_start/things')).toEqual([503, 'module_errored'])
    await worksOtherwise()
  })

  it('in a route answers 500 there without the reason, while its other routes and everything else work', async () => {
    for (const route of ['throws', 'rejects', 'unknown-problem', 'circle']) {
      const { status, body, bytes } = await instance.anonymous().get(`/api/v1/broken_route/${route}`)
      expect([route, status, body.code]).toEqual([route, 500, 'internal_error'])
      expect(bytes.toString()).not.toContain('12345')
    }
    expect((await instance.anonymous().get('/api/v1/broken_route/fine')).body).toEqual({ data: { fine: true } })
    await worksOtherwise()
  })

  it('is tried again at the next start, and runs once it is fixed', async () => {
    const folder = putPackage(instance.storage, 'svc-module-broken-route', 'svc-module-mended')
    rmSync(join(instance.storage, 'modules/node_modules/svc-module-broken-import'), { recursive: true })
    writeFileSync(
      join(folder, 'package.json'),
      readFileSync(join(folder, 'package.json'), 'utf8')
        .replaceAll('broken_route', 'broken_import')
        .replaceAll('broken-route', 'mended')
    )
    writeFileSync(join(folder, 'server/index.js'), 'export default {}')
    rmSync(join(folder, 'server/api'), { recursive: true })
    mkdirSync(join(folder, 'server/api/v1/broken_import'), { recursive: true })
    writeFileSync(
      join(folder, 'server/api/v1/broken_import/things.get.js'),
      'export default { access: \'none\', handle: () => [] }'
    )
    await schedule(instance, 'install', 'broken_import')
    await instance.restart()
    expect(await rowOf(instance, 'broken_import')).toMatchObject({ state: 'installed', error_message: null })
    expect((await instance.anonymous().get('/api/v1/broken_import/things')).body).toEqual({ data: [] })
  })
})
