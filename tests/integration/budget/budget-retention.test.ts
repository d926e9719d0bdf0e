import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { ageLog, budgetCtx, sealNow, verify } from '../../support/logs.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

/** Does what the nightly job does. */
const trim = async () =>
  await instance.runtime.host.registry
    .get('budget')!
    .definition.jobs!['trim-logs']!.run({}, budgetCtx(instance), { attempt: 1 })
const keepFor = async (access_log_months: number | null) =>
  await (await instance.as('admin')).patch('/api/v1/clinic', { retention: { access_log_months } })
const actions = async ({ id }: SentBudget) =>
  (await instance.sql`select action from budget_access_log where budget_id = ${id} order by seq`).map(row => row.action)
const checkpoint = async ({ id }: SentBudget) =>
  (
    await instance.sql`select seq, rows, from_at < to_at as spans, facts from budget_log_checkpoint where budget_id = ${id}`
  )[0] ?? null

async function anAccepted(): Promise<SentBudget> {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  await patient.post(`${budget.base}/accept`, ACCEPTANCE)
  await sealNow(instance, budget.id)
  return budget
}

describe('after the retention period', () => {
  test('the beginning of a closed log is removed up to the first younger row, and one checkpoint remains', async () => {
    const budget = await anAccepted()
    await ageLog(instance, budget.id, { months: 121, upTo: 3 })
    await trim()
    expect([await actions(budget), await checkpoint(budget)]).toEqual([
      ['accepted', 'signed_pdf_ready'],
      {
        seq: 3,
        rows: 3,
        spans: true,
        facts: { sent: expect.any(String), opened: [expect.any(String)], code_by: { user_id: expect.any(String) } }
      }
    ])
    expect((await verify(instance, budget.id)).text).toBe('1 budget: 1 digest, 2 log rows, 1 signed PDF. All hold.')
  })

  test('rows removed later join the same checkpoint, including the decision, whose record stays valid', async () => {
    const budget = await anAccepted()
    await ageLog(instance, budget.id, { months: 121, upTo: 2 })
    await trim()
    await ageLog(instance, budget.id, { months: 121 })
    await trim()
    const [record]
      = await instance.sql`select id, content_digest, document_sha256 from budget_signature where budget_id = ${budget.id}`
    expect([await actions(budget), await checkpoint(budget)]).toEqual([
      [],
      {
        seq: 5,
        rows: 5,
        spans: true,
        facts: {
          sent: expect.any(String),
          opened: [expect.any(String)],
          code_by: { user_id: expect.any(String) },
          decision: 'accepted',
          record: expect.any(String),
          signature_id: record!.id,
          content_digest: record!.content_digest,
          signed_pdf_sha256: record!.document_sha256
        }
      }
    ])
    expect((await verify(instance, budget.id)).ok).toBe(true)
  })

  test('the log continues after the checkpoint, and staff see the remaining rows', async () => {
    const budget = await anAccepted()
    await ageLog(instance, budget.id, { months: 121 })
    await trim()
    const staff = await instance.as('admin')
    expect((await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)).status).toBe(200)
    const { body } = await staff.get(`${BUDGETS}/${budget.id}/access-log`)
    expect([body.total, body.data.map((row: { action: string }) => row.action)]).toEqual([1, ['signed_pdf_download']])
    expect((await verify(instance, budget.id)).text).toMatch(/1 log row,.*All hold/)
  })

  test('an open budget keeps its whole log', async () => {
    const budget = await aSentBudget(instance)
    await ageLog(instance, budget.id, { months: 700 })
    await trim()
    expect([(await actions(budget)).length, await checkpoint(budget)]).toEqual([2, null])
  })

  test('the period is the one that the clinic chose, or unlimited', async () => {
    const budget = await anAccepted()
    await ageLog(instance, budget.id, { months: 20 })
    await trim()
    expect((await actions(budget)).length).toBe(5)
    await keepFor(null)
    await ageLog(instance, budget.id, { months: 700 })
    await trim()
    expect((await actions(budget)).length).toBe(5)
    await keepFor(600)
    await trim()
    expect(await actions(budget)).toEqual([])
    await keepFor(120)
  })

  test('an invalid log keeps all rows, so that a change stays visible', async () => {
    const budget = await anAccepted()
    await ageLog(instance, budget.id, { months: 121 })
    await instance.sql`update budget_access_log set user_agent = 'x' where budget_id = ${budget.id} and seq = 2`
    await trim()
    expect([(await actions(budget)).length, await checkpoint(budget)]).toEqual([5, null])
    expect(await verify(instance, budget.id)).toMatchObject({
      ok: false,
      text: expect.stringContaining('Row 2 of the access log')
    })
  })

  test('no row is lost, even with several instances at once and a row that is written meanwhile', async () => {
    const budgets = [await anAccepted(), await anAccepted()]
    for (const { id } of budgets) await ageLog(instance, id, { months: 121, upTo: 4 })
    const staff = await instance.as('admin')
    await Promise.all([
      trim(),
      trim(),
      ...budgets.flatMap(({ id }) => [1, 2, 3].map(() => staff.get(`${BUDGETS}/${id}/pdf/signed`))),
      trim()
    ])
    for (const budget of budgets) {
      expect([await actions(budget), (await checkpoint(budget))!.rows]).toEqual([
        ['signed_pdf_ready', 'signed_pdf_download', 'signed_pdf_download', 'signed_pdf_download'],
        4
      ])
      expect((await verify(instance, budget.id)).ok).toBe(true)
    }
  })

  test('a forged checkpoint stays invalid after an erasure', async () => {
    const budget = await aSentBudget(instance)
    const [row] = await instance.sql`select patient_id from budget where id = ${budget.id}`
    await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/reject`, { reason: 'Too dear' })
    await instance.sql`
      insert into budget_log_checkpoint (budget_id, clinic_id, seq, hash, rows, from_at, to_at, made_at, facts, seal)
      select budget_id, clinic_id, seq, hash, seq, at, at, at, '{"content_digest":"x"}', hash from budget_access_log where budget_id = ${budget.id} order by seq desc limit 1`
    await instance.sql`delete from budget_access_log where budget_id = ${budget.id}`
    const admin = await instance.as('admin')
    expect((await admin.post(`/api/v1/clinic/persons/${row!.patient_id}/erase`, { dry_run: false })).status).toBe(200)
    expect((await verify(instance, budget.id)).text).toMatch(/the checkpoint that stands for the rows .* was changed/)
  })
})
