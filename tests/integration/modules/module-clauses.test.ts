import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { ACCEPTANCE, aDraft, aPatient, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { sealNow, verify } from '../../support/logs.ts'
import { writeModule } from '../../support/modules/modules.ts'
import { schedule } from '../../support/modules/packages.ts'
import { installTerms, setMode, termsModule, type Mode } from '../../support/modules/terms-module.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  await installTerms(instance, 'terms', 'extra')
  staff = await instance.as('admin')
})
afterAll(() => instance.close())
beforeEach(async () => {
  await setMode(instance, 'two')
  await setMode(instance, 'none', 'extra')
})

const send = (id: string) => staff.post(`${BUDGETS}/${id}/send`, { channel: 'manual', code: '482913' })
const detail = async (id: string) => (await staff.get(`${BUDGETS}/${id}`)).body.data
const asked = async (id: string) => await instance.sql`select asked from terms_asked where budget_id = ${id}`

const twoFor = (number: string, version = 1, locale = 'es') => [
  { module: 'terms', id: 'deposit', title: 'Deposit', text: `${locale}: 30 % of 121.00 EUR are due\nwhen you accept.` },
  { module: 'terms', id: 'number', title: `For ${number}`, text: `Version ${version}, asked 1 times.` }
]

describe('the clauses of a module', () => {
  test('are in the patient’s view, the preview and the staff’s detail of a sent budget', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const clauses = twoFor(budget.number)
    expect((await patient.get(budget.base)).body.data.clauses).toEqual(clauses)
    expect((await staff.get(`${BUDGETS}/${budget.id}/preview`)).body.data.clauses).toEqual(clauses)
    expect((await detail(budget.id)).clauses).toEqual(clauses)
  })

  test('are part of the content whose digest the patient accepts', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const { content_digest } = (await patient.get(budget.base)).body.data
    const { status } = await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, content_digest })
    expect(status).toBe(200)
    const [record] = await instance.sql`select content, content_digest from budget_signature where budget_id = ${budget.id}`
    const content = JSON.parse(record!.content)
    expect(content.clauses).toEqual(twoFor(budget.number))
    expect(record!.content).toBe(canonicalize(content))
    expect(createHash('sha256').update(record!.content).digest('hex')).toBe(content_digest)
    expect((await verify(instance, budget.id)).ok).toBe(true)
  })

  test('are printed in the unsigned and the signed PDF', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const unsigned = (await inspectPdf((await patient.get(`${budget.base}/pdf`)).bytes)).text
    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    await sealNow(instance, budget.id)
    const signed = (await inspectPdf((await patient.get(`${budget.base}/pdf/signed`)).bytes)).text
    for (const text of [unsigned, signed]) {
      for (const words of ['Condiciones', 'Deposit', 'are due', 'when you accept.', `For ${budget.number}`])
        expect(text).toContain(words)
    }
    expect(signed.indexOf('when you accept.')).toBeLessThan(signed.indexOf('Aceptación'))
  })

  test('are requested in the transaction of the sending, and the module gets what is sent', async () => {
    const { id, number, patient_id } = await aDraft(instance)
    expect((await send(id)).status).toBe(200)
    const { valid_until } = await detail(id)
    expect(await asked(id)).toEqual([{
      asked: {
        clinic_id: instance.clinic.id,
        budget_id: id,
        number,
        version: 1,
        patient_id,
        locale: 'es',
        currency: 'EUR',
        total: '121.00',
        price_from: null,
        price_to: null,
        valid_until
      }
    }])
  })

  test('are those of all modules, sorted by dependency and then by name', async () => {
    await setMode(instance, 'two', 'extra')
    const { id } = await aDraft(instance)
    await send(id)
    expect((await detail(id)).clauses.map(({ module }: { module: string }) => module))
      .toEqual(['extra', 'extra', 'terms', 'terms'])
  })

  test('can have 2,000 characters each', async () => {
    await setMode(instance, 'long')
    const { id } = await aDraft(instance)
    expect((await send(id)).status).toBe(200)
    expect([...(await detail(id)).clauses[0].text]).toHaveLength(2000)
  })

  test('are requested again for a new version and a copy, which don’t have those of the original', async () => {
    const budget = await aSentBudget(instance)
    const copies = [
      (await staff.post(`${BUDGETS}/${budget.id}/revise`)).body.data,
      (await staff.post(`${BUDGETS}/${budget.id}/duplicate`)).body.data
    ]
    const stored = async (id: string) => (await instance.sql`select clauses from budget where id = ${id}`)[0]!.clauses
    for (const { id, number, version } of copies) {
      expect(await stored(id)).toBe(null)
      await send(id)
      expect(await stored(id)).toEqual(twoFor(number, version))
    }
    await setMode(instance, 'none')
    const { id } = (await staff.post(`${BUDGETS}/${budget.id}/duplicate`)).body.data
    await send(id)
    expect(await stored(id)).toBe(null)
  })
})

describe('a budget without clauses', () => {
  test('has no mention of them in view, detail and content', async () => {
    await setMode(instance, 'none')
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.get(budget.base)).body.data).not.toHaveProperty('clauses')
    expect(await detail(budget.id)).not.toHaveProperty('clauses')
    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    const [record] = await instance.sql`select content from budget_signature where budget_id = ${budget.id}`
    expect(JSON.parse(record!.content)).not.toHaveProperty('clauses')
    await sealNow(instance, budget.id)
    expect((await inspectPdf((await patient.get(`${budget.base}/pdf/signed`)).bytes)).text).not.toContain('Condiciones')
  })
})

describe('a module that fails to return its clauses', () => {
  const REFUSED: [Mode, string | RegExp][] = [
    ['throw', ''],
    ['problem', 'Set the deposit first.'],
    ['exit', ''],
    ['hang', ''],
    ['sleep', ''],
    ['caught', ''],
    ['longer', ''],
    ['twice', ''],
    ['no-list', ''],
    ['no-text', ''],
    ['override', '']
  ]

  test.each(REFUSED)('prevents the sending if it does this: %s', async (mode, detailed) => {
    const { id } = await aDraft(instance)
    await setMode(instance, mode)
    const { status, body } = await send(id)
    expect([status, body.code, body.module]).toEqual([503, 'clauses_failed', 'terms'])
    expect(body.detail).toBe(`The module terms could not give its conditions, so nothing was done. ${detailed}`.trim())

    expect(await detail(id)).toMatchObject({ status: 'draft', sent_at: null, link: { state: 'none', has_code: false } })
    expect(await asked(id)).toEqual([])
    expect(await instance.sql`select name from core_event where payload ->> 'budget_id' = ${id}`).toEqual([])
    expect(await instance.sql`select action, success, detail from budget_access_log where budget_id = ${id}`).toEqual([
      { action: 'link_sent', success: false, detail: expect.objectContaining({ module: 'terms', code: 'clauses_failed' }) }
    ])

    await setMode(instance, 'two')
    expect((await send(id)).status).toBe(200)
    expect((await verify(instance, id)).ok).toBe(true)
  })

  test('cannot write anything once its caller has stopped waiting', async () => {
    const { id } = await aDraft(instance)
    await setMode(instance, 'late')
    expect((await send(id)).body.code).toBe('clauses_failed')
    const late = await eventually(async () => (globalThis as { termsLate?: string }).termsLate, 'the late write')
    expect(late).toContain('its transaction has ended')
    expect(await asked(id)).toEqual([])
  })

  test('blocks no budget that was sent before', async () => {
    const budget = await aSentBudget(instance)
    await setMode(instance, 'throw')
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.get(budget.base)).body.data.clauses).toHaveLength(2)
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  })
})

test('more than ten clauses in total are too_many_clauses, which names the modules, and nothing is sent', async () => {
  const { id } = await aDraft(instance)
  await setMode(instance, 'eight')
  await setMode(instance, 'two', 'extra')
  expect((await send(id)).status).toBe(200)

  const other = (await staff.post(`${BUDGETS}/${id}/duplicate`)).body.data
  await setMode(instance, 'eight', 'extra')
  const { status, body } = await send(other.id)
  expect([status, body.code, body.modules]).toEqual([409, 'too_many_clauses', { extra: 8, terms: 8 }])
  expect((await detail(other.id)).status).toBe('draft')
})

test('a draft’s price is that of the cheapest selection, with the lowest and highest price', async () => {
  const { treatment_id } = (await aDraft(instance)).items[0]
  const options = [1, 2].map(quantity => ({ title: `O${quantity}`, description: null, items: [{ treatment_id, quantity }] }))
  const { id } = await aDraft(instance, { items: [], choices: [{ title: 'C', rule: 'exactly_one', options }] })
  await send(id)
  expect((await asked(id))[0]!.asked).toMatchObject({ total: '121.00', price_from: '121.00', price_to: '242.00' })
})

test('an erasure empties the wording and keeps the proof', async () => {
  const patient_id = (await aPatient(staff)).id
  const budgets = [await aSentBudget(instance, { patient_id }), await aSentBudget(instance, { patient_id })]
  for (const [index, what] of (['accept', 'reject'] as const).entries()) {
    const budget = budgets[index]!
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/${what}`, what === 'accept' ? ACCEPTANCE : { reason: 'No' })
  }
  await sealNow(instance, budgets[0]!.id)
  const exported = (await staff.get(`/api/v1/clinic/persons/${patient_id}/export`)).bytes
  expect(Buffer.from(exported).length).toBeGreaterThan(0)
  expect((await staff.post(`/api/v1/clinic/persons/${patient_id}/erase`, { dry_run: false })).status).toBe(200)
  for (const { id, number } of budgets) {
    const [row] = await instance.sql`
      select clauses, content from budget join budget_signature on budget_id = budget.id where budget.id = ${id}`
    expect(row!.clauses.map(({ text }: { text: string }) => text)).toEqual(['', ''])
    expect(row!.content).not.toContain('30 %')
    expect(row!.clauses[1].title).toBe(`For ${number}`)
    expect((await verify(instance, id)).ok).toBe(true)
  }
})

describe('the preview of a draft', () => {
  test('has the clauses that would be sent, on the page and the PDF, and nothing is written', async () => {
    const { id, number } = await aDraft(instance)
    expect((await staff.get(`${BUDGETS}/${id}/preview`)).body.data.clauses).toEqual(twoFor(number))
    const { text } = await inspectPdf((await staff.get(`${BUDGETS}/${id}/pdf`)).bytes)
    expect(text).toContain('when you accept.')
    expect(await asked(id)).toEqual([])
    expect(await detail(id)).not.toHaveProperty('clauses')
  })

  test('writes nothing even if a module uses `ctx.sql`, which needn’t wait for a lock', async () => {
    const { id } = await aDraft(instance)
    await setMode(instance, 'own')
    expect((await staff.get(`${BUDGETS}/${id}/preview`)).status).toBe(200)
    expect(await asked(id)).toEqual([])
    expect((await send(id)).status).toBe(200)
    expect(await asked(id)).toHaveLength(1)
  })

  test('shows that a module can’t return its clauses', async () => {
    const { id } = await aDraft(instance)
    await setMode(instance, 'throw')
    for (const what of ['preview', 'pdf'])
      expect((await staff.get(`${BUDGETS}/${id}/${what}`)).body.code).toBe('clauses_failed')
  })
})

test('nothing is sent while a module with clauses is installed but isn’t running', async () => {
  const folder = join(instance.storage, 'modules/node_modules/svc-module-terms')
  const files = termsModule('terms')
  const next = { ...files.migrations, '0001_next.sql': 'select 1;', '0001_next.down.sql': 'select 1;' }
  writeModule(folder, 'terms', { ...files, version: '1.1.0', migrations: next }) // its new migrations are not applied
  await instance.restart()
  const budget = await aDraft(instance)
  const { status, body } = await send(budget.id)
  expect([status, body.code, body.module]).toEqual([503, 'clauses_failed', 'terms'])
  writeModule(folder, 'terms', files)
  for (const name of Object.keys(next)) if (!(name in files.migrations!)) rmSync(join(folder, 'migrations', name))
  await instance.restart()
  expect((await send(budget.id)).status).toBe(200)
})

test('clauses stay after their module is removed, and budgets are decided, verified and sent', async () => {
  const open = await aSentBudget(instance)
  const accepted = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, accepted)
  await patient.post(`${accepted.base}/accept`, ACCEPTANCE)
  for (const name of ['terms', 'extra']) await schedule(instance, 'uninstall', name)
  await instance.restart()
  staff = await instance.as('admin')

  await sealNow(instance, accepted.id)
  expect((await inspectPdf((await patient.get(`${accepted.base}/pdf/signed`)).bytes)).text).toContain('when you accept.')
  const other = await aVerifiedPatient(instance, open)
  expect((await other.get(open.base)).body.data.clauses).toEqual(twoFor(open.number))
  expect((await other.post(`${open.base}/accept`, ACCEPTANCE)).status).toBe(200)
  for (const { id } of [open, accepted]) expect((await verify(instance, id)).ok).toBe(true)

  const next = await aSentBudget(instance)
  expect(await detail(next.id)).not.toHaveProperty('clauses')
})
