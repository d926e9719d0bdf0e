import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCtx } from '../../../server/core/modules/context.ts'
import { ACCEPTANCE, aDraft, aPatient, aSentBudget, aVerifiedPatient, BUDGETS } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { putModule } from '../../support/modules/gate.ts'
import { schedule } from '../../support/modules/packages.ts'

let instance: Instance
beforeAll(async () => { instance = await anInstance() })
afterAll(() => instance.close())

/** What a community module gets from `ctx.use('budget')`. */
const budgetsFor = (grants: string[] = []) =>
  createCtx(instance.runtime.host, { name: 'stranger', depends: ['budget'], grants }).use('budget')

const staff = () => instance.as('admin')
/** Changes the end as the passing of time would. The database refuses any other change. */
const expire = ({ id }: { id: string }) => instance.sql.begin(async (tx) => {
  await tx`set local session_replication_role = replica`
  await tx`update budget set expires_at = now() - interval '1 second' where id = ${id}`
})

describe('listOpen', () => {
  test('returns the budgets that wait for their patient, in pages, those that wait longest first', async () => {
    const clinic = instance.clinic.id
    const patient_id = (await aPatient(await staff(), { first_name: 'Ana', last_name: 'Sol' })).id
    const first = await aSentBudget(instance, { patient_id })
    const second = await aSentBudget(instance, { patient_id })
    const accepted = await aSentBudget(instance, { patient_id })
    await (await aVerifiedPatient(instance, accepted)).post(`${accepted.base}/accept`, ACCEPTANCE)
    const cancelled = await aSentBudget(instance, { patient_id })
    await (await staff()).post(`${BUDGETS}/${cancelled.id}/cancel`, {})
    await expire(await aSentBudget(instance, { patient_id }))
    await aDraft(instance, { patient_id })
    await aSentBudget(instance)

    const { rows, total } = await budgetsFor().listOpen(clinic, { patient_id, page: 1, page_size: 20 })
    expect([total, rows.map(row => row.id)]).toEqual([2, [first.id, second.id]])
    expect(rows[0]).toEqual({
      id: first.id, number: first.number, version: 1, currency: 'EUR', locale: 'es', total: 12_100n,
      patient: { id: patient_id, first_name: 'Ana', last_name: 'Sol' },
      sent_at: expect.any(Date), valid_until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), expires_at: expect.any(Date)
    })
    const next = await budgetsFor().listOpen(clinic, { patient_id, page: 2, page_size: 1 })
    expect([next.total, next.rows.map(row => row.id)]).toEqual([2, [second.id]])
    expect((await budgetsFor().listOpen(clinic, { page: 1, page_size: 20 })).total).toBe(3)
    const unknown = await budgetsFor().listOpen(clinic, { patient_id: 'nobody', page: 1, page_size: 20 })
    expect(unknown).toEqual({ rows: [], total: 0 })
    const { id } = await instance.anotherClinic()
    expect((await budgetsFor().listOpen(id, { page: 1, page_size: 20 })).total).toBe(0)
  })
})

describe('linkOf', () => {
  test('needs the grant budget.link', async () => {
    const { id } = await aSentBudget(instance)
    await expect(budgetsFor().linkOf(instance.clinic.id, id)).rejects.toMatchObject({ code: 'grant_missing' })
    await expect(budgetsFor(['budget.other']).linkOf(instance.clinic.id, id)).rejects.toMatchObject({ code: 'grant_missing' })
  })

  test('returns the address of an open budget’s page, and null for any other', async () => {
    const budget = await aSentBudget(instance)
    const { linkOf } = budgetsFor(['budget.link'])
    expect(await linkOf(instance.clinic.id, budget.id)).toBe(budget.url)
    expect(await linkOf((await instance.anotherClinic()).id, budget.id)).toBeNull()
    expect(await linkOf(instance.clinic.id, 'malformed')).toBeNull()
    expect(await linkOf(instance.clinic.id, (await aDraft(instance)).id)).toBeNull()
    await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
    expect(await linkOf(instance.clinic.id, budget.id)).toBeNull()
  })

  test('gets its grant from the manifest, which the operator sees before the install', async () => {
    putModule(instance, 'linker', {
      depends: ['budget'],
      svc: { grants: ['budget.link'] },
      endpoints: {
        'linker/links/[id].get.js': `{
          access: 'session',
          summary: 'The link of a budget.',
          response: { safeParse: data => ({ success: true, data }) },
          handle: ({ params: { id }, request }, ctx) => ctx.use('budget').linkOf(request.actor.clinic_id, id)
        }`
      }
    })
    const { answer } = await schedule(instance, 'install', 'linker', { dry_run: true })
    expect(answer.message).toContain('linker is granted: budget.link.')
    await schedule(instance, 'install', 'linker')
    await instance.restart()
    const budget = await aSentBudget(instance)
    expect((await (await staff()).get(`/api/v1/linker/links/${budget.id}`)).body.data).toBe(budget.url)
  })
})
