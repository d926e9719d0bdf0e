import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aUser, LOGIN, mailedToken, signedIn } from '../../support/accounts.ts'
import { aSentBudget, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance({ env: { SVC_TRUSTED_PROXIES: '1' } })
})
afterAll(() => instance.close())
beforeEach(() => instance.sql`delete from core_rate_limit`)

const TRIES = 200
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
/** Five tries each, the number that one address may fail in a minute. */
const strangers = Array.from({ length: TRIES }, (_, i) => from(`198.51.100.${1 + Math.floor(i / 5)}`))
/** Acts as if so many seconds had passed for all counters. */
const later = (seconds: number) =>
  instance.sql`update core_rate_limit set expire = expire - ${seconds}::int * interval '1 second'`

test('200 wrong passwords of a stranger leave the owner able to sign in: at once in a known browser or with a new password, otherwise within a minute', async () => {
  const { email } = await aUser(instance)
  const known = await signedIn(instance, email)
  await known.post('/api/v1/auth/logout')
  const guess = (stranger: (typeof strangers)[0]) => instance.anonymous().post(LOGIN, { email, password: 'wrong' }, stranger)
  const signIn = (browser: Caller, at = from('203.0.113.7'), password = PASSWORD) =>
    browser.post(LOGIN, { email, password }, at)

  const answers = await Promise.all(strangers.map(guess))
  const compared = answers.filter(({ status }) => status === 401).length
  expect(compared).toBeGreaterThan(20)
  expect(compared).toBeLessThan(30) // includes pauses on a slow machine
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(TRIES - compared)
  expect((await signIn(known, strangers[0])).status).toBe(200)

  await later(60)
  await guess(from('192.0.2.1'))
  const refused = await signIn(instance.anonymous())
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeLessThanOrEqual(60)
  await later(wait)
  expect((await signIn(instance.anonymous())).status).toBe(200)

  await guess(from('192.0.2.2'))
  await instance.anonymous().post('/api/v1/auth/password-reset', { email })
  const password = 'lamp orbit velvet nine'
  const browser = instance.anonymous()
  expect(
    (await browser.post('/api/v1/auth/password-reset', { token: await mailedToken(instance, email), password })).status
  ).toBe(204)
  await Promise.all(strangers.slice(0, 60).map(guess)) // these came in between
  expect((await signIn(browser, from('192.0.2.2'), password)).status).toBe(200)
})

test('one address that uses every turn delays a new browser elsewhere by a minute at most', async () => {
  const { email } = await aUser(instance)
  const signIn = (at: ReturnType<typeof from>, password = 'wrong') =>
    instance.anonymous().post(LOGIN, { email, password }, at)
  for (const stranger of strangers.filter((_, i) => i % 5 === 0).slice(0, 7)) {
    await later(60) // each of their turns doubles the pause for all, up to ten seconds
    await Promise.all(Array.from({ length: 5 }, () => signIn(stranger)))
  }
  let turns = 0
  let status: number
  do {
    await later(10)
    await signIn(from('192.0.2.1'))
    status = (await signIn(from(`203.0.113.${++turns}`), PASSWORD)).status
  } while (status !== 200 && turns < 20)
  expect(turns).toBeGreaterThan(1)
  expect(turns).toBeLessThanOrEqual(6)
})

test('an address waits for a minute at most between its attempts', async () => {
  const { email } = await aUser(instance)
  const guess = () => instance.anonymous().post(LOGIN, { email, password: 'wrong' }, from('192.0.2.1'))
  const waits: number[] = []
  while (waits.length < 10) {
    const { status, headers } = await guess()
    if (status === 429) waits.push(Number(headers.get('retry-after')))
    await later(status === 429 ? waits.at(-1)! : 0)
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(60)
})

test('an attempt that the pause refuses counts for the minute of its address', async () => {
  const { email } = await aUser(instance)
  await Promise.all(
    strangers.slice(0, 40).map(stranger => instance.anonymous().post(LOGIN, { email, password: 'wrong' }, stranger))
  )
  await instance.sql`update core_rate_limit set expire = now() + interval '60 seconds' where key like 'core:log-in-shared-pause:%'`
  for (let i = 0; i < 3; i++)
    expect((await instance.anonymous().post(LOGIN, { email, password: 'wrong' }, from('192.0.2.9'))).status).toBe(429)
  const [counted] = await instance.sql`select points from core_rate_limit where key like 'core:log-in-address:192.0.2.9 %'`
  expect(counted!.points).toBe(3)
})

describe('a browser that has signed in before', () => {
  test('may fail five times a minute, separately from others', async () => {
    const { email } = await aUser(instance)
    const browser = await signedIn(instance, email)
    for (let i = 0; i < 5; i++) expect((await browser.post(LOGIN, { email, password: 'wrong' })).status).toBe(401)
    expect((await browser.post(LOGIN, { email, password: PASSWORD })).status).toBe(429)
    expect((await instance.anonymous().post(LOGIN, { email, password: PASSWORD })).status).toBe(200)
  })

  test('is known only for this account, for 180 days, and by the service\'s signature', async () => {
    const [mine, other] = [await aUser(instance), await aUser(instance)]
    const browser = await signedIn(instance, mine.email)
    const [name, { value }] = [...browser.cookies].find(([key]) => key.startsWith('svc_device_'))!
    const [id, since, mac] = value.split('.') as [string, string, string]
    await instance.sql`delete from core_rate_limit`
    const othersName = [...(await signedIn(instance, other.email)).cookies.keys()].find(key => key.startsWith('svc_device_'))!
    const shown = async (email: string, cookie: string, text: string) => {
      const visitor = instance.anonymous()
      visitor.cookies.set(cookie, { value: text, path: '/api/v1/auth' })
      await visitor.post(LOGIN, { email, password: 'wrong' })
      return (await instance.sql`select key from core_rate_limit where key like ${`core:log-in-address:${id} %`}`).length
    }
    expect(await shown(other.email, othersName, value)).toBe(0)
    expect(await shown(mine.email, name, `${id}.${Number(since) - 181 * 86400}.${mac}`)).toBe(0)
    expect(await shown(mine.email, name, `${id}.${since}.AAAA`)).toBe(0)
    expect(await shown(mine.email, name, value)).toBe(1)
  })
})

test('a new link and a new code stop a stranger with the old link', async () => {
  const budget = await aSentBudget(instance)
  const guess = () => instance.anonymous().post(`${budget.base}/verify`, { code: '0000' }, from('192.0.2.1'))
  for (let i = 0; i < 5; i++) await guess()
  expect((await guess()).status).toBe(423)
  const staff = await instance.as('receptionist')
  const { body } = await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true })
  expect((await staff.post(`${BUDGETS}/${budget.id}/set-public-code`, { code: '135792' })).status).toBe(200)
  expect((await guess()).status).toBe(404)
  const token = body.data.url.split('/').at(-1)
  expect(
    (await instance.anonymous().post(`/api/v1/public/budgets/${token}/verify`, { code: '135792' }, from('203.0.113.7')))
      .status
  ).toBe(200)
})

test('200 wrong codes of a stranger lock the patient out for an hour at most, or until the clinic unlocks the link', async () => {
  const budget = await aSentBudget(instance)
  const enter = () => instance.anonymous().post(`${budget.base}/verify`, { code: budget.code }, from('203.0.113.7'))
  const guess = () =>
    Promise.all(strangers.map(stranger => instance.anonymous().post(`${budget.base}/verify`, { code: '0000' }, stranger)))
  /** Until the lock's own time ends. */
  const wait = async () => {
    const { headers } = await enter()
    const seconds = Number(headers.get('retry-after'))
    await instance.sql`update budget_link set locked_until = locked_until - ${seconds}::int * interval '1 second' where budget_id = ${budget.id}`
    return seconds
  }
  for (const longest of [900, 3600, 3600]) {
    await guess()
    expect(await wait()).toBeLessThanOrEqual(longest)
  }
  expect((await enter()).status).toBe(200)
  await guess()
  expect((await enter()).status).toBe(423)
  await (await instance.as('receptionist')).post(`${BUDGETS}/${budget.id}/unlock-public`)
  expect((await enter()).status).toBe(200)
})
