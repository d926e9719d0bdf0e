import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../support/builders.ts'
import type { Answer, Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { ageLog, verify } from '../support/logs.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

/** A sent budget, open in a browser that has the code, that SQL has changed since. */
async function aTamperedBudget(): Promise<SentBudget & { patient: Caller }> {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  await changePrice(budget.id, 1)
  return { ...budget, patient }
}
const changePrice = (id: string, by: number) => instance.sql.begin(async (tx) => {
  await tx`set local session_replication_role = replica`
  await tx`update budget_item set unit_price = unit_price + ${by} where budget_id = ${id}`
})
const refusedRows = async (id: string) =>
  (await staff.get(`${BUDGETS}/${id}/access-log?page_size=100`)).body.data.filter((row: any) => !row.success).reverse()

describe('a refusal with content_tampered', () => {
  test.each<[string, string, (patient: Caller, base: string) => Promise<Answer>]>([
    ['a view', 'viewed', (patient, base) => patient.get(base)],
    ['the PDF', 'pdf_download', (patient, base) => patient.get(`${base}/pdf`)],
    ['an acceptance', 'accepted', (patient, base) => patient.post(`${base}/accept`, ACCEPTANCE)],
    ['a decline', 'rejected', (patient, base) => patient.post(`${base}/reject`, { reason: 'No' })]
  ])('of %s leaves one row an hour, even for many attempts at once', async (_, action, attempt) => {
    const { id, base, patient } = await aTamperedBudget()
    const answers = await Promise.all([1, 2, 3, 4].map(() => attempt(patient, base)))
    answers.push(await attempt(patient, base))
    for (const { status, body } of answers) expect([status, body.code]).toEqual([500, 'content_tampered'])
    expect(await refusedRows(id)).toMatchObject([
      { action, success: false, actor: 'patient', detail: { reason: 'content_tampered' }, ip_hash: expect.any(String) }
    ])
    await ageLog(instance, id, { months: 1 })
    expect((await attempt(patient, base)).status).toBe(500)
    expect((await refusedRows(id)).map((row: any) => row.action)).toEqual([action, action])
  })

  test('of an acceptance in the clinic leaves a row that names the member of staff', async () => {
    const { id } = await aTamperedBudget()
    expect((await staff.post(`${BUDGETS}/${id}/accept-in-clinic`, ACCEPTANCE)).body.code).toBe('content_tampered')
    const me = (await staff.get('/me')).body.data.user.id
    expect(await refusedRows(id)).toMatchObject([{ action: 'accepted', actor: 'staff', user_id: me }])
  })

  test('of HEAD and prefetching leaves no row', async () => {
    const { id, base, patient } = await aTamperedBudget()
    expect((await patient.get(base, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(500)
    expect(await refusedRows(id)).toEqual([])
  })
})

test('if SQL moved a budget to another clinic, the row is in the log of its original clinic', async () => {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  const other = await instance.anotherClinic()
  const moveTo = (clinic_id: string) => instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update budget set clinic_id = ${clinic_id} where id = ${budget.id}`
  })
  await moveTo(other.id)
  expect((await patient.get(budget.base)).body.code).toBe('content_tampered')
  await moveTo(instance.clinic.id)
  expect(await refusedRows(budget.id)).toMatchObject([{ action: 'viewed' }])
  expect((await verify(instance, budget.id)).ok).toBe(true)
})

test('a refused decision changes nothing: after the rows are restored the patient can accept', async () => {
  const { id, base, patient } = await aTamperedBudget()
  for (const what of ['accept', 'reject'])
    expect((await patient.post(`${base}/${what}`, what === 'accept' ? ACCEPTANCE : { reason: 'No' })).status).toBe(500)
  await changePrice(id, -1)
  expect((await patient.get(base)).body.data.status).toBe('sent')
  expect((await patient.post(`${base}/accept`, ACCEPTANCE)).status).toBe(200)
  expect((await staff.get(`${BUDGETS}/${id}`)).body.data.proof_faults).toEqual([])
  expect((await verify(instance, id)).ok).toBe(true)
})
