import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealLinks } from '../../layers/budget/server/services/seal-links.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, type SentBudget } from '../support/builders.ts'
import { anInstance, type Instance } from '../support/instance.ts'

/** The attacker has the database's role, and a copy of the sources: everything but the secret. */
let it: Instance
beforeAll(async () => {
  it = await anInstance()
})
afterAll(() => it.close())

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const aToken = () => randomBytes(32).toString('base64url')
const as = (cookie: string) => ({ headers: { cookie } })

describe('a patient\'s link', () => {
  let budget: SentBudget
  beforeAll(async () => {
    budget = await aSentBudget(it)
  })
  const accept = (base: string, cookie: string) => it.anonymous().post(`${base}/accept`, ACCEPTANCE, as(`budget_session=${cookie}`))
  const statusOf = async (id: string) => (await it.sql`select status from budget where id = ${id}`)[0]!.status

  test('a made session accepts nothing in the patient\'s name', async () => {
    const cookie = aToken()
    await it.sql`insert into budget_session (session_hash, budget_id, clinic_id) values (${sha256(cookie)}, ${budget.id}, ${it.clinic.id})`
    expect((await accept(budget.base, cookie)).status).toBe(401)
    expect(await statusOf(budget.id)).toBe('sent')
  })

  test('a session that was opened for one budget and moved to another opens neither', async () => {
    const own = await aSentBudget(it)
    const patient = await aVerifiedPatient(it, own)
    const cookie = [...patient.cookies.values()][0]!.value
    await it.sql`update budget_session set budget_id = ${budget.id} where budget_id = ${own.id}`
    expect((await accept(budget.base, cookie)).status).toBe(401)
    expect((await accept(own.base, cookie)).status).toBe(401)
  })

  test('a session lives no longer because its beginning was moved', async () => {
    const own = await aSentBudget(it)
    const patient = await aVerifiedPatient(it, own)
    await it.sql`update budget_session set created_at = created_at + interval '1 hour' where budget_id = ${own.id}`
    expect((await patient.post(`${own.base}/accept`, ACCEPTANCE)).status).toBe(401)
  })

  test('an ended session is gone: nothing is left to bring back', async () => {
    const own = await aSentBudget(it)
    await aVerifiedPatient(it, own)
    await (await it.as('admin')).post(`/api/v1/budget/budgets/${own.id}/set-public-code`, { generate: true })
    expect(await it.sql`select from budget_session where budget_id = ${own.id}`).toHaveLength(0)
  })

  test('the row of a known link, moved to another budget, opens nothing there', async () => {
    const own = await aSentBudget(it)
    const [row] = await it.sql`select token_hash, token_seal, code_hash, code_seal from budget_link where budget_id = ${own.id}`
    await it.sql`update budget_link set token_hash = null where budget_id = ${own.id}`
    await it.sql`update budget_link set ${it.sql(row!)} where budget_id = ${(await aSentBudget(it)).id}`
    expect((await it.anonymous().post(`${own.base}/verify`, { code: own.code })).status).toBe(404)
  })

  test('a code\'s hash that was copied from another budget opens nothing, and counts as a wrong code', async () => {
    const [own, theirs] = [await aSentBudget(it, {}, { code: '135792' }), await aSentBudget(it)]
    await it.sql`
      update budget_link as stolen set code_hash = own.code_hash, code_seal = own.code_seal from budget_link as own
      where stolen.budget_id = ${theirs.id} and own.budget_id = ${own.id}`
    const { status, body } = await it.anonymous().post(`${theirs.base}/verify`, { code: '135792' })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'code_wrong' })
  })
})

describe('an upgrade from a release that stored plain digests', () => {
  test('links and codes of before open after it, once: a row that is put in later opens nothing', async () => {
    const budget = await aSentBudget(it)
    await it.sql`update budget_link set token_seal = null, code_seal = null`
    await it.sql`update budget_link set token_hash = ${sha256(budget.token)} where budget_id = ${budget.id}`
    expect((await it.anonymous().post(`${budget.base}/verify`, { code: budget.code })).status).toBe(404)

    await upgrade()
    await aVerifiedPatient(it, budget)

    const later = await aSentBudget(it)
    await it.sql`update budget_link set token_hash = ${sha256('made')}, token_seal = null where budget_id = ${later.id}`
    await upgrade()
    expect((await it.anonymous().get('/api/v1/public/budgets/made')).status).toBe(404)
  })
})

async function upgrade(): Promise<void> {
  const { services } = it.runtime
  const { ctx } = services.registry.get('budget')!
  await it.runtime.services.db.transaction(async (tx) => {
    await sealLinks({ ...ctx, db: tx as never, from_version: '0.3.2', signal: new AbortController().signal, once: (_key, fn) => fn() }, '0.3.2')
  })
}
