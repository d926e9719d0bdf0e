import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import { aSentBudget, aVerifiedPatient, BUDGETS } from '../../support/builders.ts'
import { createCaller, type Answer, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'

let instance: Instance
beforeAll(async () => { instance = await anInstance() })
afterAll(() => instance?.close())

/** Everything by which a caller could distinguish two answers, except the request's own id. */
const seen = ({ status, headers, body }: Answer) => ({
  status, body: { ...body, request_id: null },
  headers: [...headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name)).sort()
})

let people = 0
async function aMember(): Promise<{ email: string, browser: Caller, value: () => string }> {
  const email = `fixed-${people += 1}@clinic.test`
  await createUser(
    instance.runtime.host,
    { email, first_name: 'Rosa', last_name: 'X', clinic_id: instance.clinic.id, role: 'admin', password: PASSWORD },
    { by: 'operator' }
  )
  const browser = instance.anonymous()
  return { email, browser, value: () => browser.cookies.get('svc_session@/')!.value }
}

const plant = (browser: Caller, value: string) => browser.cookies.set('svc_session@/', { value, path: '/' })
const knows = async (value: string) => (await createCaller(instance.url, { bearer: value }).get('/me')).status === 200

describe('a session that an attacker chose', () => {
  test('is useless after signing in, because the server creates a new one each time', async () => {
    const { email, browser, value } = await aMember()
    const planted = 'p'.repeat(43)
    plant(browser, planted)
    await browser.post('/api/v1/auth/login', { email, password: PASSWORD })
    expect(value()).not.toBe(planted)
    expect([await knows(planted), await knows(value())]).toEqual([false, true])
  })

  test('stays the attacker\'s if it is one of their own', async () => {
    const [attacker, victim] = [await aMember(), await aMember()]
    await attacker.browser.post('/api/v1/auth/login', { email: attacker.email, password: PASSWORD })
    plant(victim.browser, attacker.value())
    await victim.browser.post('/api/v1/auth/login', { email: victim.email, password: PASSWORD })
    const me = await createCaller(instance.url, { bearer: attacker.value() }).get('/me')
    expect(me.body.data.user.email).toBe(attacker.email)
  })

  test('ends when the clinic is switched, on signing out and when the password changes', async () => {
    const { email, browser, value } = await aMember()
    await browser.post('/api/v1/auth/login', { email, password: PASSWORD })
    const first = value()
    await browser.post('/api/v1/auth/switch-clinic', { clinic_id: instance.clinic.id })
    expect(value()).not.toBe(first)
    expect(await knows(first)).toBe(false)
    const elsewhere = instance.anonymous()
    await elsewhere.post('/api/v1/auth/login', { email, password: PASSWORD })
    const other = elsewhere.cookies.get('svc_session@/')!.value
    expect(
      (await browser.post('/api/v1/auth/password', { current: PASSWORD, new: 'another password for tests' })).status
    ).toBe(204)
    expect(await knows(other)).toBe(false)
    const last = value()
    await browser.post('/api/v1/auth/logout')
    expect(await knows(last)).toBe(false)
  })

  test('in a patient\'s browser is useless too: each right code creates a new session', async () => {
    const budget = await aSentBudget(instance)
    const planted = { name: 'budget_session', value: 'q'.repeat(43) }
    const patient = instance.anonymous()
    patient.cookies.set(`${planted.name}@${budget.base}`, { value: planted.value, path: budget.base })
    expect((await patient.get(budget.base)).status).toBe(401)
    await patient.post(`${budget.base}/verify`, { code: budget.code })
    const [one] = [...patient.cookies]
      .filter(([name]) => name.startsWith('budget_session'))
      .map(([, cookie]) => cookie.value)
    expect(one).not.toBe(planted.value)
    const again = await aVerifiedPatient(instance, budget)
    expect([...again.cookies.values()].map(cookie => cookie.value)).not.toContain(one)
  })
})

describe('a stranger who requests unknown data', () => {
  test('cannot distinguish an unknown link from a malformed or a replaced one', async () => {
    const budget = await aSentBudget(instance)
    const staff = await instance.as('admin')
    expect((await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true })).status).toBe(200)
    const unknown = 'A'.repeat(budget.token.length)
    for (const rest of ['/meta', '', '/pdf', '/pdf/signed']) {
      const [first, ...others] = await Promise.all(
        [unknown, budget.token, 'x', 'é', `${budget.token}=`].map(token =>
          instance.anonymous().get(`/api/v1/public/budgets/${encodeURIComponent(token)}${rest}`)
        )
      )
      expect(first!.body.code).toBe('link_not_found')
      for (const other of others) expect(seen(other)).toEqual(seen(first!))
    }
  })

  test('cannot distinguish an account from none, nor a revoked session from a made-up one', async () => {
    const { email, browser, value } = await aMember()
    const [known, unknown] = [
      await instance.anonymous().post('/api/v1/auth/login', { email, password: 'not the password' }),
      await instance.anonymous().post('/api/v1/auth/login', { email: 'nobody@clinic.test', password: 'not the password' })
    ]
    expect(seen(known)).toEqual(seen(unknown))
    await browser.post('/api/v1/auth/login', { email, password: PASSWORD })
    const ended = value()
    await browser.post('/api/v1/auth/logout')
    const ask = (bearer: string) => createCaller(instance.url, { bearer }).get('/me')
    expect(seen(await ask(ended))).toEqual(seen(await ask('B'.repeat(43))))
    const [reset, none] = [
      await instance.anonymous().post('/api/v1/auth/password-reset', { email }),
      await instance.anonymous().post('/api/v1/auth/password-reset', { email: 'nobody@clinic.test' })
    ]
    expect(seen(reset)).toEqual(seen(none))
  })
})

describe('a request that is too large', () => {
  test('is refused at every route with a body, before it is read', async () => {
    const { paths } = (await instance.anonymous().get('/api/v1/openapi.json')).body as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, unknown> } }>>
    }
    const large = Buffer.from(`{"x":"${'y'.repeat(21_000_000)}"}`) // encoded only once
    const admin = await instance.as('admin')
    const operator = await instance.asInstanceAdmin()
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        if (!requestBody || path.includes('{token}')) continue
        const type = Object.keys(requestBody.content)[0]!
        const caller = path.startsWith('/api/v1/modules') ? operator : admin
        const address = path.replace(/\{\w+\}/g, 'x')
        const options = { raw: large, headers: { 'content-type': type } }
        const answer = method === 'delete'
          ? await caller.delete(address, options)
          : await caller[method as 'post' | 'put' | 'patch'](address, undefined, options)
        await instance.sql`delete from core_rate_limit`
        expect([method, path, answer.status]).toEqual([method, path, 413])
      }
    }
  }, 120_000)

  test('is also refused if compressed, because a small body could unpack to a large one', async () => {
    const answer = await (
      await instance.as('admin')
    ).post('/api/v1/clinical/patients', undefined, { raw: 'x', headers: { 'content-encoding': 'gzip' } })
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type'])
  })
})

test('every route that changes data refuses a cookie from another site before any other check', async () => {
  const { paths } = (await instance.anonymous().get('/api/v1/openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>
  }
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods).filter(method => method !== 'get') as (
      'post' | 'put' | 'patch' | 'delete'
    )[]) {
      const target = path.replace(/\{\w+\}/g, 'x')
      const foreign = {
        headers: { 'cookie': 'svc_session=x', 'origin': 'https://evil.test', 'sec-fetch-site': 'cross-site' }
      }
      const answer
        = method === 'delete'
          ? await instance.anonymous().delete(target, foreign)
          : await instance.anonymous()[method](target, {}, foreign)
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'cross_origin'])
    }
  }
})
