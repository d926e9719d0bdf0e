import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ACCEPTANCE,
  aDraft,
  aSentBudget,
  aVerifiedPatient,
  BUDGETS,
  eventually,
  type SentBudget
} from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { sealNow } from '../support/logs.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const OF_BUDGETS = [
  'budget_access_log', 'budget_log_checkpoint', 'budget_signature', 'budget_session', 'budget_link', 'budget_item',
  'budget_reminder', 'budget_notice', 'budget'
]
const GUARDED = ['budget', 'budget_item', 'budget_signature', 'budget_access_log', 'budget_link', 'budget_session']

/** Acts as the owner of the tables, who can switch triggers off but does not know the secret. */
async function asOwner(change: (sql: Instance['sql']) => Promise<unknown>): Promise<void> {
  await instance.sql.begin(async (tx) => {
    for (const table of GUARDED) await tx`alter table ${tx(table)} disable trigger user`
    await change(tx as unknown as Instance['sql'])
    for (const table of GUARDED) await tx`alter table ${tx(table)} enable trigger user`
  })
}

async function removeAll(sql: Instance['sql'], ids: string[]): Promise<void> {
  for (const table of OF_BUDGETS)
    await sql`delete from ${sql(table)} where ${sql(table === 'budget' ? 'id' : 'budget_id')} = any(${ids})`
}

async function anAcceptedBudget(): Promise<SentBudget> {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  await sealNow(instance, budget.id)
  return budget
}

const allDelivered = () =>
  eventually(
    async () => (await instance.sql`select from core_delivery where status = 'pending'`).length === 0,
    'everything that follows'
  )

interface Found { code: string, object: string, message: string, fix: string }
const ask = async (module: string): Promise<Found[]> => {
  const { definition, ctx } = instance.runtime.host.registry.get(module)!
  return await definition.doctor!(ctx)
}
const codes = async (module = 'budget') => (await ask(module)).map(({ code }) => code)

describe('a budget that SQL deletes with all its rows', () => {
  test('leaves events, stored documents and an invoice, each of which the doctor reports with it', async () => {
    const budget = await anAcceptedBudget()
    await allDelivered()
    expect([await codes(), await codes('billing')]).toEqual([[], []])
    await asOwner(sql => removeAll(sql, [budget.id]))
    const object = `budget ${budget.id}`
    expect(await ask('budget')).toMatchObject([
      { code: 'budget_gone' },
      { code: 'event_without_budget', object, message: expect.stringContaining(`${budget.number} v1`) },
      { code: 'document_without_budget', object, fix: expect.stringMatching(/^Compare the budgets with a backup/) }
    ])
    const [invoice] = await instance.sql`select id from billing_invoice where budget_id = ${budget.id}`
    const message = expect.stringContaining(budget.number)
    expect(await ask('billing')).toMatchObject([
      { code: 'invoice_without_budget', object: `invoice ${invoice!.id}`, message }
    ])
  })

  test('is named if it is among the first hundred, while the doctor only counts the others', async () => {
    await instance.sql`
      insert into billing_invoice (clinic_id, budget_id, budget_number, budget_version, patient_id, patient_first_name, patient_last_name,
        currency, locale, total, tax_total)
      select ${instance.clinic.id}, gen_random_uuid(), 'PRES-2026-0009', 1, gen_random_uuid(), 'Ana', 'Ruiz', 'EUR', 'es', 100, 0
      from generate_series(1, 130)`
    await instance.sql`
      insert into core_event (name, clinic_id, payload)
      select 'budget.sent', ${instance.clinic.id}, jsonb_build_object('budget_id', gen_random_uuid(), 'budget_number', 'PRES-2026-0009', 'version', 1)
      from generate_series(1, 130)`
    for (const [module, code, left] of [
      ['billing', 'invoice_without_budget', 31],
      ['budget', 'event_without_budget', 31]
    ] as const) {
      const found = (await ask(module)).filter(finding => finding.code === code)
      expect(found).toHaveLength(101)
      expect(found.at(-1)!.message).toBe(`And ${left} more.`)
    }
    await instance.sql`delete from billing_invoice_line`
    await instance.sql`delete from billing_invoice`
    await instance.sql`delete from core_event where payload ->> 'budget_number' = 'PRES-2026-0009'`
  })

  test('is not confused with drafts that the staff deleted, or with patients whose data was erased', async () => {
    const before = await codes()
    const draft = await aDraft(instance)
    expect((await staff.delete(`${BUDGETS}/${draft.id}`)).status).toBe(204)
    const patient = (
      await staff.post('/api/v1/clinical/patients', { first_name: 'Ana', last_name: 'Ruiz', email: 'ana@patient.test' })
    ).body.data
    await aDraft(instance, { patient_id: patient.id })
    const sent = await aSentBudget(instance, { patient_id: patient.id })
    await (await aVerifiedPatient(instance, sent)).post(`${sent.base}/accept`, ACCEPTANCE)
    await sealNow(instance, sent.id)
    await allDelivered()
    expect((await staff.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false })).status).toBe(200)
    expect(await codes()).toEqual(before)
    expect(await codes('billing')).toEqual([])
  })
})

describe('a clinic whose budgets, counters and notes SQL deletes', () => {
  const MISSING = 'number_counter_missing'
  const counters = async () => (await ask('budget')).filter(({ code }) => code.startsWith('number_counter'))

  test('is reported, even after numbers begin again at 1', async () => {
    await aDraft(instance)
    expect(await counters()).toEqual([])
    await asOwner(async (sql) => {
      await removeAll(sql, (await sql`select id from budget`).map(({ id }) => id as string))
      await sql`delete from budget_number where year > 0`
      await sql`delete from budget_removed_draft`
    })
    const missing = { code: MISSING, message: expect.stringContaining('1 were made, 0 exist') }
    expect(await counters()).toMatchObject([missing])
    expect((await aDraft(instance)).number).toMatch(/-0001$/)
    expect(await counters()).toMatchObject([{ ...missing, message: expect.stringContaining('2 were made, 1 exist') }])
  })

  test('is reported even if SQL deletes the row that counts them, which no draft creates again', async () => {
    const kept = await instance.sql`select * from budget_number where year = 0`
    await instance.sql`update budget_number set last = 1 where year = 0`
    expect(await counters()).toMatchObject([{ code: MISSING }])
    await instance.sql`delete from budget_number where year = 0`
    expect(await counters()).toMatchObject([{ code: MISSING }])
    await aDraft(instance)
    expect(await counters()).toMatchObject([{ code: MISSING }])
    await instance.sql`insert into budget_number ${instance.sql(kept)}`
  })
})
