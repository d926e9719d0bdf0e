import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { writeModule } from '../../../support/modules/modules.ts'
import { schedule } from '../../../support/modules/packages.ts'

type Section = (at: any, ctx: any) => unknown
/** What the two modules below do, by their names. */
const behaviour: Record<string, Section> = {}
const NOTHING: Section = () => []
const aModule = (name: string) => ({
  depends: ['reports'],
  code: `export default {
    staff_sections: { 'reports.clinic': (ctx, at) => globalThis.svcStaffSections.${name}(at, ctx) }
  }`
})

let instance: Instance
const written: string[] = []
beforeAll(async () => {
  Object.assign(globalThis, { svcStaffSections: behaviour })
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk: unknown) => {
    written.push(String(chunk))
    return true
  })
  instance = await anInstance({ env: { LOG_LEVEL: 'warn', NODE_ENV: 'production' } })
  for (const name of ['first', 'second']) {
    writeModule(join(instance.storage, `modules/node_modules/svc-module-${name}`), name, aModule(name))
    await schedule(instance, 'install', name)
  }
  await instance.restart()
})
beforeEach(() => {
  Object.assign(behaviour, { first: NOTHING, second: NOTHING })
})
afterEach(() => {
  written.length = 0
})
afterAll(async () => {
  vi.restoreAllMocks()
  await instance.close()
})

const PATH = '/api/v1/reports/sections'
const QUARTER = '?from=2026-01-01&to=2026-03-31'
const leftOut = () =>
  written.filter(line => line.startsWith('{')).map(line => JSON.parse(line))
    .filter(({ event }) => event === 'section.left_out')
    .map(({ module, page, reason }) => ({ module, page, reason }))
const aSection = (fields: object = {}) => ({ id: 'one', title: 'Deposits', ...fields })
const read = async (query = QUARTER) => (await (await instance.as('admin')).get(PATH + query)).body.data

describe('a section of the clinic’s reports', () => {
  test('comes with its module, in the order of the modules', async () => {
    behaviour.first = () => [aSection({ facts: [['Received', '50.00 €']] })]
    behaviour.second = async () => [
      aSection({ text: 'So far', table: { columns: ['Day', { label: 'Amount', end: true }], rows: [['1 May', '50 €']] } }),
      aSection({ id: 'two' })
    ]
    const columns = [{ label: 'Day', end: false }, { label: 'Amount', end: true }]
    expect(await read()).toEqual({
      from: '2026-01-01',
      to: '2026-03-31',
      sections: [
        { module: 'first', ...aSection({ facts: [['Received', '50.00 €']] }) },
        { module: 'second', ...aSection({ text: 'So far', table: { columns, rows: [['1 May', '50 €']], more_rows: 0 } }) },
        { module: 'second', ...aSection({ id: 'two' }) }
      ],
      left_out: []
    })
    expect(leftOut()).toEqual([])
  })

  test('gets the reader’s clinic and language, and the period in the clinic’s zone and currency', async () => {
    const seen: any[] = []
    behaviour.first = (at) => {
      seen.push(at)
      return []
    }
    const period = { from: '2026-01-01', to: '2026-03-31', currency: 'EUR', time_zone: 'Europe/Madrid' }
    await read(`${QUARTER}&locale=de`)
    await read()
    const other = await instance.anotherClinic()
    await (await instance.as('dentist', other)).get(PATH + QUARTER)
    expect(seen).toEqual([
      { clinic_id: instance.clinic.id, locale: 'de', ...period },
      { clinic_id: instance.clinic.id, locale: 'es', ...period },
      { clinic_id: other.id, locale: expect.any(String), ...period }
    ])
  })

  test('covers the last twelve months if no days are given, as the report does', async () => {
    const admin = await instance.as('admin')
    const { from, to } = (await admin.get('/api/v1/reports/acceptance')).body.data
    expect(await read('')).toEqual({ from, to, sections: [], left_out: [] })
  })

  test.each([
    ['?from=2026-02-01&to=2026-01-01', '/from'],
    ['?from=2000-01-01&to=2026-01-01', '/from'],
    ['?days=7', '/days'],
    ['?locale=tlh', '/locale']
  ])('is not requested with %s: 422', async (query, pointer) => {
    let asked = 0
    behaviour.first = () => {
      asked += 1
      return []
    }
    const { status, body } = await (await instance.as('admin')).get(PATH + query)
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer), asked]).toEqual([422, [pointer], 0])
  })

  test.each(['assistant', 'hygienist'] as const)('is not shown to people without reports.read: %s', async (role) => {
    behaviour.first = () => { throw new Error('asked') }
    const { status, body } = await (await instance.as(role)).get(PATH + QUARTER)
    expect([status, body.detail]).toEqual([403, 'Permission denied: reports.read'])
    expect((await instance.anonymous().get(PATH + QUARTER)).status).toBe(401)
    expect(leftOut()).toEqual([])
  })
})

describe('a module that fails', () => {
  const FINE = { module: 'second', ...aSection() }
  beforeEach(() => {
    behaviour.second = () => [aSection()]
  })
  const NAMED = { module: 'first', page: 'reports.clinic' }

  test.each<[string, Section]>([
    ['throws', () => { throw new Error('no such table') }],
    ['rejects', async () => { throw new Error('no such table') }],
    ['throws a problem', (_at, ctx) => { throw ctx.problem('not_found', { detail: 'no such table' }) }]
  ])('is named and logged when it %s, and the other sections stay', async (_, section) => {
    behaviour.first = section
    expect(await read()).toMatchObject({ sections: [FINE], left_out: ['first'] })
    expect(leftOut()).toEqual([{ ...NAMED, reason: expect.objectContaining({ message: 'no such table' }) }])
  })

  test('is named and logged when it never returns', async () => {
    behaviour.first = () => new Promise(() => {})
    expect(await read()).toMatchObject({ sections: [FINE], left_out: ['first'] })
    expect(leftOut()).toEqual([{ ...NAMED, reason: 'late' }])
  })

  test('is named and loses what breaks a rule or exceeds a limit', async () => {
    const broken = aSection({ id: 'broken', table: { columns: ['Day'], rows: [['1 May', '50 €']] } })
    behaviour.first = () => [broken, ...['a', 'b', 'c'].map(id => aSection({ id }))]
    const { sections, left_out } = await read()
    expect(sections.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'one'])
    expect(left_out).toEqual(['first'])
    expect(leftOut()).toEqual([
      { ...NAMED, reason: 'section 1: table.rows: Each row must have a text for each column.' },
      { ...NAMED, reason: 'it has more than 3 sections' }
    ])
  })

  test('cannot change what the next module gets', async () => {
    behaviour.first = (at) => {
      at.clinic_id = 'changed'
      return []
    }
    let seen
    behaviour.second = ({ clinic_id }) => {
      seen = clinic_id
      return []
    }
    await read()
    expect(seen).toBe(instance.clinic.id)
  })
})

test('a module can collect sections for its own pages only', async () => {
  const { ctx } = instance.runtime.host.registry.get('first')!
  await expect(ctx.sections.collectForStaff('reports.clinic', { clinic_id: '', locale: 'en' }))
    .rejects.toThrow('module first collects sections of reports.clinic, which is not its page')
})

test('a module whose sections aren’t functions does not start', async () => {
  writeModule(join(instance.storage, 'modules/node_modules/svc-module-odd'), 'odd', {
    code: `export default { staff_sections: { 'reports.clinic': [] } }`
  })
  await schedule(instance, 'install', 'odd')
  await instance.restart()
  const [row] = await instance.sql`select error_message from core_module where name = 'odd'`
  expect(row!.error_message).toContain('staff_sections is not a table of functions')
})
