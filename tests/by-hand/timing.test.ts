import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser } from '../../server/core/people/accounts/create-user.ts'
import { aSentBudget, BUDGETS } from '../support/builders.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { PASSWORD } from '../support/people.ts'

/**
 * Whether the time of an answer tells what the answer does not. Two kinds of calls in turns, the slowest tenth of each
 * left out, Welch's t over the rest as in dudect (Reparaz et al. 2017): past 4.5 they differ. A guess that leaks
 * differs by more the more is measured; noise does not. Each pair is preceded by the same kind twice, which must not
 * differ either.
 */
const LIMIT = 4.5
const N = Number(process.env.TIMING_CALLS ?? 1500)

let instance: Instance
beforeAll(async () => { instance = await anInstance() })
afterAll(() => instance?.close())

type Call = () => Promise<unknown>

async function compare(
  name: string,
  a: Call,
  b: Call,
  { calls = N, before = async () => {} }: { calls?: number, before?: () => Promise<unknown> } = {}
): Promise<number> {
  const times: [number[], number[]] = [[], []]
  for (let i = 0; i < calls + 20; i++) {
    // In an order that is not the same each time: what one call leaves behind hits both.
    for (const which of (i % 2 === 0 ? [0, 1] : [1, 0]) as (0 | 1)[]) {
      await before()
      const start = performance.now()
      await (which === 0 ? a : b)()
      if (i >= 20) times[which].push(performance.now() - start)
    }
  }
  const [x, y] = times.map(withoutSlowest) as [number[], number[]]
  const t = welch(x, y)
  console.info(
    `${name}: ${(mean(x) * 1000).toFixed(0)} µs and ${(mean(y) * 1000).toFixed(0)} µs, t = ${t.toFixed(2)}, ${calls} calls each`
  )
  return Math.abs(t)
}

const withoutSlowest = (times: number[]) => times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * 0.9))
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
function variance(values: number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}
const welch = (x: number[], y: number[]) =>
  (mean(x) - mean(y)) / Math.sqrt(variance(x) / x.length + variance(y) / y.length)

const forget = () => instance.sql`delete from core_rate_limit`

test('a link that is unknown, malformed or replaced', async () => {
  const budget = await aSentBudget(instance)
  await (await instance.as('admin')).post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true })
  const meta = (token: string) => () => instance.anonymous().get(`/api/v1/public/budgets/${token}/meta`)
  const unknown = 'A'.repeat(budget.token.length)
  let calls = 0
  const before = async () => { if (++calls % 400 === 0) await forget() }
  expect(await compare('noise (unknown, unknown)', meta(unknown), meta(unknown), { before })).toBeLessThan(LIMIT)
  expect(await compare('unknown, replaced', meta(unknown), meta(budget.token), { before })).toBeLessThan(LIMIT)
  expect(
    await compare('unknown, malformed', meta(unknown), meta('!'.repeat(budget.token.length)), { before })
  ).toBeLessThan(LIMIT)
})

test('a session that is made up or has ended', async () => {
  const email = 'timing@clinic.test'
  await createUser(
    instance.runtime.host,
    { email, first_name: 'Rosa', last_name: 'X', clinic_id: instance.clinic.id, role: 'admin', password: PASSWORD },
    { by: 'operator' }
  )
  const browser = instance.anonymous()
  const { body } = await browser.post('/api/v1/auth/login', { email, password: PASSWORD })
  await browser.post('/api/v1/auth/logout')
  const me = (bearer: string) => () => instance.anonymous().get('/me', { headers: { authorization: `Bearer ${bearer}` } })
  expect(await compare('made up, ended', me('A'.repeat(43)), me(body.data.access_token))).toBeLessThan(LIMIT)
})

test('a wrong code that begins like the right one', async () => {
  const budget = await aSentBudget(instance, {}, { code: '482913' })
  const verify = (code: string) => () => instance.anonymous().post(`${budget.base}/verify`, { code })
  const before = async () => {
    await forget()
    await instance.sql`update budget_link set failed_attempts = 0, locked_until = null where budget_id = ${budget.id}`
  }
  expect(await compare('482914, 111111', verify('482914'), verify('111111'), { calls: N / 10, before })).toBeLessThan(
    LIMIT
  )
})

test('signing in with an unknown account or a wrong password', async () => {
  const email = 'timing-2@clinic.test'
  await createUser(
    instance.runtime.host,
    { email, first_name: 'Rosa', last_name: 'X', clinic_id: instance.clinic.id, role: 'admin', password: PASSWORD },
    { by: 'operator' }
  )
  const signIn = (address: string) => () =>
    instance.anonymous().post('/api/v1/auth/login', { email: address, password: 'not the password' })
  expect(
    await compare('known, unknown', signIn(email), signIn('nobody-2@clinic.test'), { calls: N / 10, before: forget })
  ).toBeLessThan(LIMIT)
})
