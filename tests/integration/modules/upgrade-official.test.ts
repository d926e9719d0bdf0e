import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { upgradeOfficial } from '../../../cli/upgrade-official.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { root } from '../../support/modules/official.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
  const { database_url, secret, storage } = instance.runtime.host.config
  vi.stubEnv('DATABASE_URL', database_url!)
  vi.stubEnv('SVC_SECRET', secret!)
  vi.stubEnv('SVC_STORAGE', storage)
  vi.stubEnv('SVC_SECRET', 'a secret for tests, long enough to pass')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await instance.close()
})

/** Reverts a branch by its own down files, newest first, and sets the module's earlier version. */
async function takeBack(name: string, { to, version }: { to: string, version: string }) {
  const applied
    = await instance.sql`select revision from core_migration where module_name = ${name} and revision > ${to} order by revision desc`
  for (const { revision } of applied) {
    await instance.sql.unsafe(readFileSync(join(root, 'layers', name, 'migrations', `${revision}.down.sql`), 'utf8'))
    await instance.sql`delete from core_migration where module_name = ${name} and revision = ${revision}`
  }
  await instance.sql`update core_module set version = ${version}, applied_revision = ${to} where name = ${name}`
}

describe('the upgrade by `svc up`', () => {
  test('migrates the data of the previous release: its budgets are listed, and its draft can be issued', async () => {
    const budget = await aSentBudget(instance)
    await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
    const drafted = () => instance.sql`select id from billing_invoice where budget_id = ${budget.id}`
    const [invoice] = await eventually(async () => (await drafted()).length > 0 && await drafted(), 'the draft')
    await eventually(
      async () => (await instance.sql`select from core_delivery where status = 'pending'`).length === 0,
      'everything that follows'
    )
    // Done while nothing runs, because the schedule reads, each minute, the tables that change.
    await instance.restart(async () => {
      await takeBack('billing', { to: '0001_deferrable', version: '0.1.0' })
      await takeBack('budget', { to: '0001_guards', version: '0.1.0' })
    })
    expect(instance.runtime.host.registry.broken[0]).toMatchObject({
      name: 'budget',
      reason: 'its new migrations are not applied: svc modules upgrade budget'
    })

    expect(await upgradeOfficial()).toEqual(expect.arrayContaining(['budget', 'billing']))
    expect(await upgradeOfficial()).toEqual([])
    await instance.restart()
    expect(instance.runtime.host.registry.broken).toEqual([])
    const staff = await instance.as('admin')
    expect((await staff.get(`${BUDGETS}?search=${budget.number}`)).body.data).toMatchObject([
      { id: budget.id, status: 'accepted', delivery: 'none', delivered_via: null }
    ])
    expect((await staff.post(`${INVOICES}/${invoice!.id}/issue`)).body.data).toMatchObject({
      status: 'issued',
      number: expect.stringMatching(/-0001$/)
    })
    expect((await staff.get(`${INVOICES}?search=${budget.number}`)).body.total).toBe(1)
  })

  test('does not change what a newer release has left', async () => {
    await instance.sql`update core_module set version = '9.0.0' where name = 'billing'`
    expect(await upgradeOfficial()).toEqual([])
    expect(await instance.sql`select state from core_module where name = 'billing'`).toEqual([{ state: 'installed' }])
  })
})
