import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resetFactor } from '../../../server/core/people/factors/reset-factor.ts'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import { linkForOperator } from '../../../server/core/people/factors/enrolment-link.ts'
import { anAuthenticator, aUser, expireConfirmations, LOGIN, mailedToken, signedIn } from '../../support/accounts.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'

let instance: Instance
let admin: Caller
beforeAll(async () => {
  instance = await anInstance()
  admin = await signedIn(instance, (await aUser(instance, { role: 'admin' })).email)
  await anAuthenticator(admin)
})
afterAll(() => instance.close())

const demand = async (second_factor: 'none' | 'administrators' | 'all', days: number) => {
  expect((await admin.patch('/api/v1/clinic', { second_factor })).status).toBe(200)
  await instance.sql`update core_clinic set second_factor_since = now() - ${days} * interval '1 day' where id = ${instance.clinic.id}`
}
/** A member who joined long before. */
async function aMember(role: 'admin' | 'receptionist') {
  const user = await aUser(instance, { role })
  const browser = await signedIn(instance, user.email)
  return { ...user, browser }
}

describe('a clinic that demands a second factor', () => {
  test('allows a week, and shows the person the deadline', async () => {
    const { browser } = await aMember('admin')
    await demand('administrators', 6)
    const { status, body } = await browser.get('/api/v1/auth/screen')
    expect(status).toBe(200)
    expect(Date.parse(body.data.second_factor_due)).toBeGreaterThan(Date.now())
    expect((await browser.get('/api/v1/clinic')).status).toBe(200)
    await demand('none', 0)
    expect((await browser.get('/api/v1/auth/screen')).body.data.second_factor_due).toBeNull()
  })

  test('then opens only what is needed to add a factor, and everything once there is one', async () => {
    const { id, browser } = await aMember('admin')
    await demand('administrators', 8)
    await joinedLongAgo(id)
    for (const path of ['/api/v1/clinic', '/api/v1/budget/budgets', '/api/v1/modules/-/active']) {
      const { status, body } = await browser.get(path)
      expect({ path, status, code: body.code }).toEqual({ path, status: 403, code: 'second_factor_required' })
    }
    for (const path of ['/api/v1/me', '/me', '/api/v1/auth/screen', '/api/v1/auth/factors', '/api/v1/auth/sessions'])
      expect({ path, status: (await browser.get(path)).status }).toEqual({ path, status: 200 })
    expect((await browser.get('/api/v1/auth/screen')).body.data.second_factor_overdue).toBe(true)
    await openLink(browser, (await admin.post(`/api/v1/users/${id}/enrolment-link`)).body.data.url)
    await anAuthenticator(browser)
    expect((await browser.get('/api/v1/clinic')).status).toBe(200)
    await demand('none', 0)
  })

  test('can demand it of administrators only, or of everyone', async () => {
    const { id, browser } = await aMember('receptionist')
    await joinedLongAgo(id)
    await demand('administrators', 8)
    expect((await browser.get('/api/v1/budget/budgets')).status).toBe(200)
    await demand('all', 8)
    expect((await browser.get('/api/v1/budget/budgets')).body.code).toBe('second_factor_required')
    await demand('none', 0)
  })

  test('gives later members a week of their own, and everyone a new week when it demands more', async () => {
    await demand('all', 30)
    const { browser } = await aMember('receptionist')
    expect((await browser.get('/api/v1/budget/budgets')).status).toBe(200)
    await demand('none', 0)
    await admin.patch('/api/v1/clinic', { second_factor: 'all' })
    const [row] = await instance.sql`select second_factor_since > now() - interval '1 minute' as fresh from core_clinic where id = ${instance.clinic.id}`
    expect(row!.fresh).toBe(true)
    await demand('none', 0)
  })
})

/** Keeps its seal: the seals of memberships do not cover dates, only the consent. */
const joinedLongAgo = (id: string) =>
  instance.sql`update core_membership set consented_at = now() - interval '1 year' where user_id = ${id}`
const openLink = (browser: Caller, url: string) =>
  browser.post('/api/v1/auth/enrolment/open', { token: url.split('#')[1] })

describe('a person whose week is over', () => {
  const begin = async (browser: Caller) => {
    const { status, body } = await browser.post('/api/v1/auth/factors/totp')
    return { status, code: body.code, needs: body.needs }
  }
  const LINK_NEEDED = { status: 403, code: 'confirmation_required', needs: ['link'] }
  async function anOverdueOne() {
    const user = await aMember('admin')
    await joinedLongAgo(user.id)
    await demand('administrators', 8)
    return user
  }

  test('cannot add a first factor with the password alone, but can with a mailed link, in the session that opens it', async () => {
    const { id, email, browser } = await anOverdueOne()
    expect(await begin(browser)).toEqual(LINK_NEEDED)
    const { body } = await browser.post('/api/v1/auth/enrolment')
    expect(body.data).toEqual({ delivered_via: 'file' })
    const token = await mailedToken(instance, email, '/enrolment')
    const thief = await signedIn(instance, email)
    expect((await browser.post('/api/v1/auth/enrolment/open', { token })).status).toBe(204)
    expect(await begin(thief)).toEqual(LINK_NEEDED)
    expect((await thief.post('/api/v1/auth/enrolment/open', { token })).body.code).toBe('mailed_token_not_found')
    await expireConfirmations(instance, id)
    expect((await begin(browser)).needs).toEqual(['password'])
    await browser.post('/api/v1/auth/confirm', { password: PASSWORD })
    await anAuthenticator(browser)
    await demand('none', 0)
  })

  test('cannot avoid the demand by switching to a clinic that demands nothing', async () => {
    const { email, browser } = await anOverdueOne()
    const other = await instance.anotherClinic()
    await createUser(instance.runtime.host, { email, clinic_id: other.id, role: 'dentist' }, { by: 'operator' })
    expect((await browser.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })).status).toBe(200)
    expect(await begin(browser)).toEqual(LINK_NEEDED)
    await demand('none', 0)
  })

  test('has a row in the audit log only for links that were sent', async () => {
    const { id, email } = await anOverdueOne()
    await instance.sql`alter table core_mailed_token add constraint none_now check (purpose <> 'enrolment') not valid`
    expect((await admin.post(`/api/v1/users/${id}/enrolment-link`)).status).toBe(500)
    await expect(linkForOperator(instance.runtime.host, email)).rejects.toThrow()
    await instance.sql`alter table core_mailed_token drop constraint none_now`
    const rows = await instance.sql`select detail from core_audit where target_id = ${id} and action = 'member_changed'`
    expect([...rows]).toEqual([])
    await demand('none', 0)
  })

  test('can be helped only by another administrator, or by the operator if they work in several clinics', async () => {
    const { id, email, browser } = await anOverdueOne()
    expect((await browser.post(`/api/v1/users/${id}/enrolment-link`)).status).toBe(403)
    const self = (await admin.get('/me')).body.data.user.id
    expect((await admin.post(`/api/v1/users/${self}/enrolment-link`)).body.code).toBe('wrong_state')
    const { token } = await linkForOperator(instance.runtime.host, email)
    expect((await browser.post('/api/v1/auth/enrolment/open', { token })).status).toBe(204)
    expect((await begin(browser)).status).toBe(200)
    expect((await admin.post(`/api/v1/users/${id}/enrolment-link`)).status).toBe(201)
    const rows = await instance.sql`select actor_type, detail from core_audit where target_id = ${id} and action = 'member_changed' order by seq`
    expect(rows).toEqual([
      { actor_type: 'system', detail: { enrolment_link: true } }, { actor_type: 'user', detail: { enrolment_link: true } }
    ])

    const other = await instance.anotherClinic()
    await createUser(instance.runtime.host, { email, clinic_id: other.id, role: 'dentist' }, { by: 'operator' })
    expect((await admin.post(`/api/v1/users/${id}/enrolment-link`)).body.code).toBe('factor_operator_only')
    await demand('none', 0)
  })

  test('cannot use another person\'s link, which stays valid, nor get more than three links an hour', async () => {
    const [one, other] = [await anOverdueOne(), await anOverdueOne()]
    await one.browser.post('/api/v1/auth/enrolment')
    const token = await mailedToken(instance, one.email, '/enrolment')
    expect((await other.browser.post('/api/v1/auth/enrolment/open', { token })).status).toBe(404)
    expect((await one.browser.post('/api/v1/auth/enrolment/open', { token })).status).toBe(204)
    for (let n = 0; n < 2; n++) expect((await one.browser.post('/api/v1/auth/enrolment')).status).toBe(200)
    expect((await one.browser.post('/api/v1/auth/enrolment')).status).toBe(429)
    await demand('none', 0)
  })

  test('must add another factor after removing the last one, even if they showed it', async () => {
    const { browser } = await aMember('admin')
    await anAuthenticator(browser)
    await demand('administrators', 8)
    const [{ id }] = (await browser.get('/api/v1/auth/factors')).body.data
    expect((await browser.delete(`/api/v1/auth/factors/${id}`, { raw: JSON.stringify({ password: PASSWORD }) })).status).toBe(204)
    await anAuthenticator(browser)
    await demand('none', 0)
  })

  test('cannot continue to work through tokens: they get the same response until there is a factor', async () => {
    const { id, browser } = await aMember('admin')
    const { body } = await browser.post('/api/v1/tokens', { name: 'Program', scopes: ['clinical.read', 'clinic.manage'] })
    const program = createCaller(instance.url, { bearer: body.data.token })
    expect((await program.get('/api/v1/clinical/patients')).status).toBe(200)
    await joinedLongAgo(id)
    await demand('administrators', 8)
    const answers = [
      await program.get('/api/v1/clinical/patients'),
      await program.get('/api/v1/clinical/patients/export.csv'),
      await program.patch('/api/v1/clinic', { phone: '+34 600 111 222' })
    ]
    for (const { status, body: said } of answers)
      expect({ status, code: said.code }).toEqual({ status: 403, code: 'second_factor_required' })
    await openLink(browser, (await admin.post(`/api/v1/users/${id}/enrolment-link`)).body.data.url)
    await anAuthenticator(browser)
    expect((await program.get('/api/v1/clinical/patients')).status).toBe(200)
    await demand('none', 0)
  })
})

describe('a person who lost their phone and recovery codes', () => {
  const reset = (id: string, by = admin) => by.post(`/api/v1/users/${id}/reset-factor`)
  async function aLostOne() {
    const user = await aMember('receptionist')
    await anAuthenticator(user.browser)
    return user
  }

  test('can be helped by another administrator, and then signs in with the password again', async () => {
    const { id, email, browser } = await aLostOne()
    expect((await reset(id)).status).toBe(204)
    expect((await browser.get('/me')).status).toBe(401)
    await signedIn(instance, email)
    expect((await reset(id)).body.code).toBe('wrong_state')
  })

  test('cannot be helped by themselves, by a member without the permission, or by another clinic', async () => {
    const { id, email } = await aLostOne()
    const self = (await admin.get('/me')).body.data.user.id
    expect((await reset(self)).body.code).toBe('wrong_state')
    expect((await reset(id, await instance.as('dentist'))).status).toBe(403)
    expect((await reset(id, await instance.as('admin', await instance.anotherClinic()))).status).toBe(404)
    const { body } = await instance.anonymous().post(LOGIN, { email, password: PASSWORD })
    expect(body.data).toHaveProperty('ticket')
  })

  test('who works in two clinics can be helped by the operator only', async () => {
    const both = await aLostOne()
    const other = await instance.anotherClinic()
    const { host } = instance.runtime
    await createUser(host, { email: both.email, clinic_id: other.id, role: 'admin' }, { by: 'operator' })
    expect((await reset(both.id)).body.code).toBe('factor_operator_only')
    expect(await resetFactor(host, both.email)).toEqual({ id: both.id, changed: true })
    expect(await resetFactor(host, both.email)).toEqual({ id: both.id, changed: false })
    await signedIn(instance, both.email)
  })

  test('can still be helped if another clinic has only invited them', async () => {
    const { id, email } = await aLostOne()
    const elsewhere = await instance.as('admin', await instance.anotherClinic())
    await elsewhere.post('/api/v1/users', { email, first_name: 'Rosa', last_name: 'Gil', role: 'admin' })
    expect((await reset(id)).status).toBe(204)
  })

  test('does not need help if there was no second factor', async () => {
    const { id } = await aMember('receptionist')
    expect((await reset(id)).body.code).toBe('wrong_state')
  })
})

test('the audit log has how a person signed in, and which factors were added and removed', async () => {
  const { id, browser } = await aMember('receptionist')
  await anAuthenticator(browser)
  await admin.post(`/api/v1/users/${id}/reset-factor`)
  const rows = await instance.sql`
    select action, detail from core_audit where clinic_id = ${instance.clinic.id} and target_id = ${id} order by seq`
  expect(rows.map(({ action, detail }) => ({ action, detail }))).toEqual([
    { action: 'member_added', detail: { role: 'receptionist', asked: false } },
    { action: 'sign_in', detail: { way: 'password' } },
    { action: 'factor_added', detail: { factor: 'totp' } },
    { action: 'factor_removed', detail: { factor: 'all' } }
  ])
})
