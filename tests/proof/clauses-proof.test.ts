import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkEvidence } from '@svc/evidence-page/check-evidence.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { databaseOwner } from '../support/database/database-owner.ts'
import { evidenceOf } from '../support/documents/evidence.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { sealNow, verify } from '../support/logs.ts'
import { installTerms, setMode } from '../support/modules/terms-module.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  await installTerms(instance, 'terms')
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const TAMPERED = { status: 500, body: expect.objectContaining({ code: 'content_tampered' }) }
const TEXT = `jsonb_set(clauses, '{0,text}', '"0 % are due."')`
const CHANGES: [string, string][] = [
  ['another text', TEXT],
  ['another title', `jsonb_set(clauses, '{1,title}', '"Another"')`],
  ['another module’s name', `jsonb_set(clauses, '{0,module}', '"budget"')`],
  ['a missing clause', `clauses - 0`],
  ['no clauses', `null`],
  ['another order', `jsonb_build_array(clauses -> 1, clauses -> 0)`],
  ['an additional clause', `clauses || '[{"module":"terms","id":"c","title":"C","text":"D"}]'`]
]
const change = (id: string, value: string) =>
  databaseOwner(instance).change(sql => sql.unsafe(`update budget set clauses = ${value} where id = '${id}'`))

describe('clauses changed by SQL', () => {
  test.each(CHANGES)('%s: are neither shown nor accepted, and verify, doctor and screens report it', async (_, value) => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    // A check that passed is not reused for the next view.
    expect((await patient.get(budget.base)).body.data.clauses).toHaveLength(2)
    await change(budget.id, value)
    expect(await patient.get(budget.base)).toMatchObject(TAMPERED)
    expect(await patient.get(`${budget.base}/pdf`)).toMatchObject(TAMPERED)
    expect(await patient.post(`${budget.base}/accept`, ACCEPTANCE)).toMatchObject(TAMPERED)
    expect(await staff.get(`${BUDGETS}/${budget.id}/preview`)).toMatchObject(TAMPERED)
    expect(await staff.post(`${BUDGETS}/${budget.id}/accept-in-clinic`, ACCEPTANCE)).toMatchObject(TAMPERED)
    expect(await verify(instance, budget.id)).toMatchObject({
      ok: false,
      json: { findings: [{ code: 'content_tampered' }] }
    })
    expect(await databaseOwner(instance).named(budget)).toEqual(['content_tampered'])
    expect(await databaseOwner(instance).warned(budget.id)).toEqual(['content_tampered'])
  })

  test('are refused too if the budget was sent without any', async () => {
    await setMode(instance, 'none')
    const budget = await aSentBudget(instance)
    await setMode(instance, 'two')
    const patient = await aVerifiedPatient(instance, budget)
    await change(budget.id, `'[{"module":"terms","id":"a","title":"A","text":"B"}]'`)
    expect(await patient.post(`${budget.base}/accept`, ACCEPTANCE)).toMatchObject(TAMPERED)
    expect(await databaseOwner(instance).named(budget)).toEqual(['content_tampered'])
  })

  test('are reported on an accepted budget, and its signed PDF and record keep the accepted ones', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    await sealNow(instance, budget.id)
    const before = createHash('sha256').update((await patient.get(`${budget.base}/pdf/signed`)).bytes).digest('hex')
    await change(budget.id, TEXT)
    expect(await patient.get(budget.base)).toMatchObject(TAMPERED)
    expect((await databaseOwner(instance).named(budget)).sort()).toEqual(['budget_changed', 'content_tampered'])
    const after = createHash('sha256').update((await patient.get(`${budget.base}/pdf/signed`)).bytes).digest('hex')
    expect(after).toBe(before)
  })

  test('are refused by a trigger, unless the trigger is switched off', async () => {
    const budget = await aSentBudget(instance)
    const update = instance.sql`update budget set clauses = null where id = ${budget.id}`
    await expect(update).rejects.toThrow('a version other than a draft is immutable')
  })
})

test('the evidence has the clauses in the content whose digest was accepted', async () => {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  await patient.post(`${budget.base}/accept`, ACCEPTANCE)
  await sealNow(instance, budget.id)
  const { files } = await evidenceOf(staff, budget.id)
  const content = JSON.parse(files['content.json']!.toString())
  expect(content.clauses).toMatchObject([{ module: 'terms', id: 'deposit' }, { module: 'terms', id: 'number' }])
  const signed = Object.entries(files).filter(([name]) => !['check.html', 'SHA256SUMS'].includes(name))
  const copies = new Map(signed.map(([name, bytes]) => [name, new Uint8Array(bytes)]))
  expect(await checkEvidence(copies)).toMatchObject({ ok: true })
  const [{ digest }] = await instance.sql`select content_digest as digest from budget_signature where budget_id = ${budget.id}` as any
  expect(createHash('sha256').update(files['content.json']!).digest('hex')).toBe(digest)
})
