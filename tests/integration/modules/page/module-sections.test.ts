import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS } from '../../../support/builders.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { writeModule } from '../../../support/modules/modules.ts'
import { schedule } from '../../../support/modules/packages.ts'

type Section = (at: any, ctx: any) => unknown
/** What the two modules below do, by their names. */
const behaviour: Record<string, Section> = {}
const NOTHING: Section = () => []
const aModule = (name: string) => ({
  depends: ['budget'],
  code: `export default {
    public_sections: { 'budget.patient': (ctx, at) => globalThis.svcSections.${name}(at, ctx) }
  }`
})

let instance: Instance
const written: string[] = []
beforeAll(async () => {
  Object.assign(globalThis, { svcSections: behaviour })
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

const leftOut = () =>
  written.filter(line => line.startsWith('{')).map(line => JSON.parse(line))
    .filter(({ event }) => event === 'section.left_out')
    .map(({ module, page, reason }) => ({ module, page, reason }))
const aSection = (fields: object = {}) => ({ id: 'one', title: 'Deposit', ...fields })

async function openBudget() {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  return { budget, patient, view: async (query = '') => (await patient.get(budget.base + query)).body.data }
}

describe('a section of the patient’s page', () => {
  test('is in the view with its module, in the order of the modules', async () => {
    const { budget, view } = await openBudget()
    const pay = `${budget.base}/x/second/pay`
    behaviour.first = () => [aSection({ facts: [['Due', '50.00 €']] })]
    behaviour.second = async ({ token_base }) => [
      aSection({ text: 'Now', actions: [{ label: 'Pay', href: `${token_base}/x/second/pay`, kind: 'primary' }] }),
      aSection({ id: 'two' })
    ]
    expect((await view()).sections).toEqual([
      { module: 'first', ...aSection({ facts: [['Due', '50.00 €']] }) },
      { module: 'second', ...aSection({ text: 'Now', actions: [{ label: 'Pay', href: pay, kind: 'primary' }] }) },
      { module: 'second', ...aSection({ id: 'two' }) }
    ])
    expect(leftOut()).toEqual([])
  })

  test('gets the budget, its state and the reader’s language, and nothing else', async () => {
    const { budget, patient, view } = await openBudget()
    const seen: unknown[] = []
    behaviour.first = (at) => {
      seen.push(at)
      return []
    }
    const known = { clinic_id: instance.clinic.id, budget_id: budget.id, version: 1, token_base: budget.base }
    await view('?locale=de')
    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    await view()
    expect(seen).toEqual([{ ...known, state: 'sent', locale: 'de' }, { ...known, state: 'accepted', locale: 'es' }])
  })

  test('gets the end of the validity even before a job has written it', async () => {
    const { budget, view } = await openBudget()
    const states: string[] = []
    behaviour.first = ({ state }) => {
      states.push(state)
      return []
    }
    // The trigger allows this only when time has passed.
    await instance.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update budget set expires_at = now() - interval '1 second' where id = ${budget.id}`
    })
    await view()
    expect(states).toEqual(['expired'])
  })

  test('is absent if no module has one: the view is the same as without modules', async () => {
    const { view } = await openBudget()
    expect(await view()).not.toHaveProperty('sections')
  })

  test('isn’t part of content and digest, nor of the staff\'s preview', async () => {
    const { budget, patient, view } = await openBudget()
    const before = await view()
    behaviour.first = () => [aSection()]
    const { sections, ...rest } = await view()
    expect(sections).toHaveLength(1)
    expect(rest).toEqual({ ...before, viewed_at: rest.viewed_at })
    expect((await (await instance.as('admin')).get(`${BUDGETS}/${budget.id}/preview`)).body.data)
      .not.toHaveProperty('sections')
    const { content_digest } = before
    expect((await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, content_digest })).status).toBe(200)
    const [signature] = await instance.sql`select content::text from budget_signature where budget_id = ${budget.id}`
    expect(signature!.content).not.toContain('Deposit')
  })
})

describe('a faulty section', () => {
  const FINE = { module: 'second', ...aSection() }
  beforeEach(() => {
    behaviour.second = () => [aSection()]
  })
  const NAMED = { module: 'first', page: 'budget.patient' }

  test.each<[string, Section]>([
    ['throws', () => { throw new Error('no such provider') }],
    ['rejects', async () => { throw new Error('no such provider') }],
    ['throws a problem', (_at, ctx) => { throw ctx.problem('not_found', { detail: 'no such provider' }) }],
    ['throws no error', () => { throw 'no such provider' }]
  ])('is left out and logged when it %s', async (_, section) => {
    const { view } = await openBudget()
    behaviour.first = section
    expect((await view()).sections).toEqual([FINE])
    expect(leftOut()).toEqual([{ ...NAMED, reason: expect.objectContaining({ message: 'no such provider' }) }])
  })

  test('is left out and logged when it never returns', async () => {
    const { view } = await openBudget()
    behaviour.first = () => new Promise(() => {})
    expect((await view()).sections).toEqual([FINE])
    expect(leftOut()).toEqual([{ ...NAMED, reason: 'late' }])
  })

  test('is left out without any other effect when it rejects after its time', async () => {
    const { view } = await openBudget()
    const { promise, reject } = Promise.withResolvers()
    behaviour.first = () => promise
    expect((await view()).sections).toEqual([FINE])
    reject(new Error('too late'))
    await view()
    expect(written.join('')).not.toContain('unhandled')
  })

  test('loses an action that leads elsewhere, and keeps the rest', async () => {
    const { view } = await openBudget()
    const anAction = (href: string) => ({ label: 'Pay', href, kind: 'secondary' })
    const own = anAction('/api/v1/public/first/pay')
    behaviour.first = ({ token_base }) => [
      aSection({ actions: [anAction('https://pay.example/'), anAction(`${token_base}/accept`), own] })
    ]
    expect((await view()).sections).toEqual([{ module: 'first', ...aSection({ actions: [own] }) }, FINE])
    expect(leftOut()).toEqual([1, 2].map(n => ({ ...NAMED, reason: `section one: action ${n} leads elsewhere` })))
  })

  test('loses a picture that is elsewhere, and keeps one below its own paths', async () => {
    const { view } = await openBudget()
    const anImage = (src: string) => ({ src, alt: 'QR code', width: 200, height: 200 })
    const own = anImage('/api/v1/public/first/qr.svg')
    behaviour.first = () => [
      aSection({ image: own }), aSection({ id: 'other', image: anImage('https://qr.example/code.svg') })
    ]
    expect((await view()).sections).toEqual([
      { module: 'first', ...aSection({ image: own }) }, { module: 'first', ...aSection({ id: 'other' }) }, FINE
    ])
    expect(leftOut()).toEqual([{ ...NAMED, reason: 'section other: its image is elsewhere' }])
  })

  test('loses what exceeds the limits', async () => {
    const { view } = await openBudget()
    behaviour.first = () => ['a', 'b', 'c', 'd'].map(id => aSection({ id }))
    expect((await view()).sections.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c', 'one'])
    expect(leftOut()).toEqual([{ ...NAMED, reason: 'it has more than 3 sections' }])
  })

  test('cannot change what the next module gets', async () => {
    const { view } = await openBudget()
    behaviour.first = (at) => {
      at.budget_id = 'changed'
      return []
    }
    let seen
    behaviour.second = ({ budget_id }) => {
      seen = budget_id
      return []
    }
    await view()
    expect(seen).not.toBe('changed')
  })
})

describe('a module', () => {
  test('can collect sections for its own pages only', async () => {
    const { ctx } = instance.runtime.host.registry.get('first')!
    await expect(ctx.sections.collect('budget.patient', { clinic_id: '', locale: 'en', token_base: '/' }))
      .rejects.toThrow('module first collects sections of budget.patient, which is not its page')
  })

  test('whose sections aren’t functions does not start', async () => {
    writeModule(join(instance.storage, 'modules/node_modules/svc-module-odd'), 'odd', {
      code: `export default { public_sections: { 'budget.patient': [] } }`
    })
    await schedule(instance, 'install', 'odd')
    await instance.restart()
    const [row] = await instance.sql`select error_message from core_module where name = 'odd'`
    expect(row!.error_message).toContain('public_sections is not a table of functions')
  })
})
