import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())

const unknown = '/api/v1/public/budgets'
const linkOf = async (id: string) => (await instance.sql`select * from budget_link where budget_id = ${id}`)[0]!
const logOf = async (id: string) =>
  instance.sql`select action, success, actor, detail from budget_access_log where budget_id = ${id} order by seq`
const verify = (budget: { base: string, code: string }, code = budget.code, headers = {}) =>
  instance.anonymous().post(`${budget.base}/verify`, { code }, { headers })

/** The failures so far, as if they had happened more than an hour ago for every address. */
async function setFailures(budget: SentBudget, failed_attempts: number) {
  await instance.sql`update budget_link set failed_attempts = ${failed_attempts}, locked_until = null where budget_id = ${budget.id}`
  await instance.sql`delete from core_rate_limit`
}

describe('the lock', () => {
  test('is set by every fifth failure: first for 15 minutes, then for an hour each time', async () => {
    const budget = await aSentBudget(instance)
    for (const [before, seconds] of [[0, 900], [5, 3600], [10, 3600], [40, 3600]] as const) {
      await setFailures(budget, before)
      for (let left = 4; left > 0; left--) {
        expect((await verify(budget, '0000')).body).toMatchObject({
          status: 401,
          code: 'code_wrong',
          attempts_left: left
        })
      }
      const { status, body, headers } = await verify(budget, '0000')
      expect([status, body.code]).toEqual([423, 'link_locked'])
      expect(Math.abs((Date.parse(body.locked_until) - Date.now()) / 1000 - seconds)).toBeLessThan(30)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(seconds - 30)
      const right = await verify(budget)
      expect(right.body).toMatchObject({ status: 423, code: 'link_locked', locked_until: body.locked_until })
      expect((await instance.anonymous().get(`${budget.base}/meta`)).body.data).toMatchObject({
        state: 'locked',
        locked: true,
        locked_until: body.locked_until
      })
    }
  })

  test('allows no more comparisons than its limit, even if many guesses come at once', async () => {
    const budget = await aSentBudget(instance)
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => verify(budget, String(1000 + i))))
    const count = (code: string) => answers.filter(answer => answer.body.code === code).length
    expect([count('code_wrong'), count('link_locked')]).toEqual([4, 196])
    expect((await linkOf(budget.id)).failed_attempts).toBe(5)
    const rows = await logOf(budget.id)
    expect(rows.filter(row => row.action === 'verify' && !row.success)).toHaveLength(5)
    expect(rows.filter(row => row.action === 'locked')).toHaveLength(1)
  })

  test('can be removed by staff: a new epoch begins, and the failed attempts stay in the log', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`delete from core_rate_limit`
    for (let i = 0; i < 5; i++) await verify(budget, '0000')
    const { status, body } = await staff.post(`${BUDGETS}/${budget.id}/unlock-public`, { reason: 'She rang.' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      state: 'active',
      has_code: true,
      failed_attempts: 0,
      locked: false,
      locked_until: null,
      url: budget.url
    })
    expect((await staff.post(`${BUDGETS}/${budget.id}/unlock-public`)).body.data).toEqual(body.data)
    expect((await verify(budget)).status).toBe(200)
    expect((await verify(budget, '0000')).body.attempts_left).toBe(4)
    const rows = await logOf(budget.id)
    expect(rows.filter(row => row.action === 'verify' && !row.success)).toHaveLength(6)
    expect(rows.filter(row => row.action === 'unlocked')).toHaveLength(1)
  })

  test('starts from the beginning after a right code and after a change of the code', async () => {
    const budget = await aSentBudget(instance)
    await setFailures(budget, 9)
    await verify(budget)
    expect((await verify(budget, '0000')).body.attempts_left).toBe(4)
    await setFailures(budget, 9)
    await staff.post(`${BUDGETS}/${budget.id}/set-public-code`, { code: '5678' })
    expect((await verify(budget, '0000')).body.attempts_left).toBe(4)
    expect((await verify(budget, '5678')).status).toBe(200)
  })

  test('does not end a session that is open', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await setFailures(budget, 4)
    expect((await verify(budget, '0000')).status).toBe(423)
    expect((await patient.get(budget.base)).status).toBe(200)
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  })

  test('counts 20 failures an hour per address and link, but not attempts that it refused', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`delete from core_rate_limit`
    for (let round = 0; round < 4; round++) {
      // The last two are refused by the lock.
      for (let i = 0; i < 7; i++) await verify(budget, '0000', { 'x-forwarded-for': `10.${round}.0.${i}` })
      await staff.post(`${BUDGETS}/${budget.id}/unlock-public`)
    }
    const refused = await verify(budget)
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await instance.anonymous().post(`${unknown}/nobody/verify`, { code: '1234' })).status).toBe(404)
    expect((await linkOf(budget.id)).failed_attempts).toBe(0)
    await instance.sql`delete from core_rate_limit`
  }, 60_000)

  test('counts 200 failures an hour per address over all links, and then refuses before it reads the link', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`delete from core_rate_limit`
    await verify(budget, '0000')
    await verify(budget) // a right one isn't counted
    const counters
      = await instance.sql`update core_rate_limit set points = 200 where key like '%verify-address%' and points = 1 returning key`
    expect(counters).toHaveLength(1)
    expect((await verify(budget)).body.code).toBe('too_many_requests')
    expect((await verify({ base: `${unknown}/nobody`, code: '1234' })).body.code).toBe('too_many_requests')
    await instance.sql`delete from core_rate_limit`
  })

  test('survives a restart', async () => {
    const budget = await aSentBudget(instance)
    await setFailures(budget, 4)
    await verify(budget, '0000')
    await instance.restart()
    expect((await verify(budget)).status).toBe(423)
  })
})
