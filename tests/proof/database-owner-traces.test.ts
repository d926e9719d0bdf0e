import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, aVerifiedPatient, BUDGETS, eventually, type SentBudget } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { budgetCtx, sealNow } from '../support/logs.ts'

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

/** The owner of the tables: no trigger stands in the way, and the secret is unknown. */
async function asOwner(change: (sql: Instance['sql']) => Promise<unknown>): Promise<void> {
  await instance.sql.begin(async (tx) => {
    for (const table of GUARDED) await tx`alter table ${tx(table)} disable trigger user`
    await change(tx as unknown as Instance['sql'])
    for (const table of GUARDED) await tx`alter table ${tx(table)} enable trigger user`
  })
}

async function removeAll(sql: Instance['sql'], ids: string[]): Promise<void> {
  for (const table of OF_BUDGETS) await sql`delete from ${sql(table)} where ${sql(table === 'budget' ? 'id' : 'budget_id')} = any(${ids})`
}

async function anAcceptedBudget(): Promise<SentBudget> {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  await sealNow(instance, budget.id)
  return budget
}

const allDelivered = () =>
  eventually(async () => (await instance.sql`select from core_delivery where status = 'pending'`).length === 0, 'everything that follows')

interface Found { code: string, object: string, message: string, fix: string }
const ask = async (module: string): Promise<Found[]> => {
  const { definition, ctx } = instance.runtime.services.registry.get(module)!
  return await definition.doctor!(ctx)
}
const codes = async (module = 'budget') => (await ask(module)).map(({ code }) => code)

describe('a clinic whose budgets, counters and notes SQL deletes', () => {
  test('is named, also after numbers begin again at 1', async () => {
    expect(await codes()).toEqual([])
    const { number } = await aDraft(instance)
    expect(await codes()).toEqual([])
    await asOwner(async (sql) => {
      await removeAll(sql, (await sql`select id from budget`).map(({ id }) => id as string))
      await sql`delete from budget_number where year > 0`
      await sql`delete from budget_removed_draft`
    })
    const missing = { code: 'number_counter_missing', message: expect.stringContaining('1 were made, 0 exist') }
    expect(await ask('budget')).toMatchObject([missing])
    expect((await aDraft(instance)).number).toBe(number)
    expect(await ask('budget')).toMatchObject([{ ...missing, message: expect.stringContaining('2 were made, 1 exist') }])
  })

  test('is named where the row that counts them goes too, which no draft makes again', async () => {
    const kept = await instance.sql`select * from budget_number where year = 0`
    await instance.sql`update budget_number set last = 1 where year = 0`
    expect(await codes()).toEqual(['number_counter_missing'])
    await instance.sql`delete from budget_number where year = 0`
    expect(await codes()).toEqual(['number_counter_missing'])
    await aDraft(instance)
    expect(await codes()).toEqual(['number_counter_missing'])
    await instance.sql`insert into budget_number ${instance.sql(kept)}`
  })
})

void [anAcceptedBudget, allDelivered, budgetCtx, BUDGETS, staff!]
