import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import { aUser, LOGIN, mailedToken, signedIn } from '../../support/accounts.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'
import { sealAgain } from '../../support/documents/seals.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

describe('signing in', () => {
  test('returns a bearer token, and the same value in a cookie: HttpOnly, SameSite=Lax, not Secure over http', async () => {
    const { email } = await aUser(instance)
    const { status, headers, body } = await instance
      .anonymous()
      .post(LOGIN, { email: email.toUpperCase(), password: PASSWORD })
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(['access_token', 'expires_at', 'token_type'])
    expect(body.data.token_type).toBe('bearer')
    expect(new Date(body.data.expires_at).toISOString()).toBe(body.data.expires_at)
    const [session, device, ...others] = headers.getSetCookie()
    expect(session).toBe(`svc_session=${body.data.access_token}; Path=/; HttpOnly; SameSite=Lax`)
    expect(device).toMatch(/^svc_device_[\w-]{12}=\S+; Path=\/api\/v1\/auth; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
    expect(others).toEqual([])
    const bearer = createCaller(instance.url, { bearer: body.data.access_token })
    expect((await bearer.get('/me')).body.data.user.email).toBe(email)
  })

  test('leaves no session value in the database', async () => {
    const { email } = await aUser(instance)
    const { body } = await instance.anonymous().post(LOGIN, { email, password: PASSWORD })
    const [row]
      = await instance.sql`select count(*)::int as n from core_session where encode(token_hash, 'escape') like ${`%${body.data.access_token}%`}`
    expect(row!.n).toBe(0)
  })

  test('refuses an unknown account and a wrong password with the same answer', async () => {
    const { email } = await aUser(instance)
    const wrong = await instance.anonymous().post(LOGIN, { email, password: 'not the password' })
    const unknown = await instance.anonymous().post(LOGIN, { email: 'nobody@clinic.test', password: PASSWORD })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'bad_credentials'])
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' })
  })

  test('is refused with 429 and Retry-After at the sixth try after five failures in a minute, even with the right password', async () => {
    const { email } = await aUser(instance)
    for (let i = 0; i < 5; i++)
      expect((await instance.anonymous().post(LOGIN, { email, password: 'wrong' })).status).toBe(401)
    const sixth = await instance.anonymous().post(LOGIN, { email, password: PASSWORD })
    expect([sixth.status, sixth.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('compares only five of many parallel guesses', async () => {
    const { email } = await aUser(instance)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => instance.anonymous().post(LOGIN, { email, password: 'wrong' }))
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25)
  })

  test('works ten times in a row with the right password', async () => {
    const { email } = await aUser(instance)
    for (let i = 0; i < 10; i++)
      expect((await instance.anonymous().post(LOGIN, { email, password: PASSWORD })).status).toBe(200)
  })

  test('is refused for a person without a password or without an active membership', async () => {
    const invited = await aUser(instance, { password: null })
    const left = await aUser(instance)
    await instance.sql`update core_membership set active = false where user_id = ${left.id}`
    await sealAgain(instance.sql, 'membership')
    expect((await instance.anonymous().post(LOGIN, { email: invited.email, password: PASSWORD })).status).toBe(401)
    expect((await instance.anonymous().post(LOGIN, { email: left.email, password: PASSWORD })).status).toBe(401)
  })
})

describe('the session', () => {
  test('ends on the server when the person signs out', async () => {
    const { email } = await aUser(instance)
    const { body } = await instance.anonymous().post(LOGIN, { email, password: PASSWORD })
    const bearer = createCaller(instance.url, { bearer: body.data.access_token })
    const out = await bearer.post('/api/v1/auth/logout')
    expect(out.status).toBe(204)
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect((await bearer.get('/me')).status).toBe(401)
  })

  test('ends after 12 hours without use; use keeps it alive', async () => {
    const user = await aUser(instance)
    const browser = await signedIn(instance, user.email)
    await instance.sql`update core_session set last_used_at = now() - interval '11 hours 59 minutes' where user_id = ${user.id}`
    expect((await browser.get('/me')).status).toBe(200)
    const [touched]
      = await instance.sql`select last_used_at > now() - interval '1 minute' as fresh from core_session where user_id = ${user.id}`
    expect(touched!.fresh).toBe(true)
    await instance.sql`update core_session set last_used_at = now() - interval '12 hours 1 second' where user_id = ${user.id}`
    expect((await browser.get('/me')).status).toBe(401)
  })

  test('ends 30 days after the person signed in, whichever clinic they work in', async () => {
    const other = await instance.anotherClinic()
    const user = await aUser(instance)
    await createUser(
      instance.runtime.host,
      { email: user.email, clinic_id: other.id, role: 'dentist' },
      { by: 'operator' }
    )
    const browser = await signedIn(instance, user.email)
    const beginSession = async (ago: string) => {
      await instance.sql`update core_session set created_at = now() - ${ago}::interval, last_used_at = now() where user_id = ${user.id}`
      await sealAgain(instance.sql, 'session')
    }
    await beginSession('29 days 23 hours')
    expect((await browser.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })).status).toBe(200)
    const [session]
      = await instance.sql`select created_at < now() - interval '29 days' as kept from core_session where user_id = ${user.id} and revoked_at is null`
    expect(session!.kept).toBe(true)
    await beginSession('30 days 1 second')
    expect((await browser.get('/me')).status).toBe(401)
  })

  test('records its last use at most once a minute', async () => {
    const user = await aUser(instance)
    const browser = await signedIn(instance, user.email)
    await instance.sql`update core_session set last_used_at = now() - interval '40 seconds' where user_id = ${user.id}`
    const before = await instance.sql`select last_used_at::text from core_session where user_id = ${user.id}`
    await browser.get('/me')
    expect(await instance.sql`select last_used_at::text from core_session where user_id = ${user.id}`).toEqual(before)
  })

  test('has its role and permissions read with each request', async () => {
    const user = await aUser(instance, { role: 'admin' })
    const browser = await signedIn(instance, user.email)
    expect((await browser.get('/api/v1/users')).status).toBe(200)
    await instance.sql`update core_membership set role = 'receptionist' where user_id = ${user.id}`
    await sealAgain(instance.sql, 'membership')
    const denied = await browser.get('/api/v1/users')
    expect([denied.status, denied.body.code, denied.body.detail]).toEqual([
      403,
      'permission_denied',
      'Permission denied: users.manage'
    ])
    await instance.sql`update core_membership set active = false where user_id = ${user.id}`
    await sealAgain(instance.sql, 'membership')
    expect((await browser.get('/me')).status).toBe(401)
  })

  test('is refused when the bearer value is wrong, although a valid cookie came with it', async () => {
    const { email } = await aUser(instance)
    const browser = await signedIn(instance, email)
    expect((await browser.get('/me', { headers: { authorization: 'Bearer nonsense-nonsense-nonsense' } })).status).toBe(
      401
    )
    expect((await browser.get('/me', { headers: { authorization: 'Basic abc' } })).status).toBe(401)
  })
})

describe('/me', () => {
  test('shows the person, the clinic, the role, concrete permissions and the clinics', async () => {
    const { id, email } = await aUser(instance, { role: 'admin' })
    const browser = await signedIn(instance, email)
    const { body } = await browser.get('/me')
    expect(body.data).toEqual({
      user: { id, email, first_name: 'Rosa', last_name: 'Gil', instance_admin: false },
      clinic: { id: instance.clinic.id, name: 'Clínica Peñalver', currency: 'EUR', time_zone: 'Europe/Madrid', locale: 'es' },
      role: 'admin',
      permissions: expect.arrayContaining(['users.manage', 'clinic.manage', 'budget.read', 'budget.write']),
      clinics: [{ id: instance.clinic.id, name: 'Clínica Peñalver', role: 'admin' }]
    })
    expect(body.data.permissions.some((name: string) => name.includes('*'))).toBe(false)
    expect((await browser.get('/api/v1/me')).body).toEqual(body)
  })

  test('answers 401 without a session', async () => {
    const { status, body } = await instance.anonymous().get('/me')
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  })
})

describe('the language of the screens', () => {
  const languageOf = async (browser: Caller) => (await browser.get('/api/v1/auth/screen')).body.data.language

  test('is the account\'s own choice, until the account returns the choice to the browser', async () => {
    const browser = await signedIn(instance, (await aUser(instance)).email)
    expect(await languageOf(browser)).toBeNull()
    expect((await browser.patch('/api/v1/me', { locale: 'de' })).status).toBe(204)
    expect(await languageOf(browser)).toBe('de')
    await browser.patch('/api/v1/me', { locale: null })
    expect(await languageOf(browser)).toBeNull()
  })

  test.each([{ locale: 'xx' }, { locale: 'es-MX' }, {}, { first_name: 'Eve' }])('is not changed by %o', async (body) => {
    const browser = await signedIn(instance, (await aUser(instance)).email)
    expect((await browser.patch('/api/v1/me', body)).status).toBe(422)
  })

  test('can be set by the operator when creating an account; an existing account keeps its own', async () => {
    const email = `lena-${randomBytes(4).toString('hex')}@clinic.test`
    const given = { email, password: PASSWORD, clinic_id: instance.clinic.id, role: 'dentist' } as const
    await createUser(instance.runtime.host, { ...given, locale: 'de' }, { by: 'operator' })
    const other = await instance.anotherClinic()
    await createUser(instance.runtime.host, { ...given, clinic_id: other.id, locale: 'fr' }, { by: 'operator' })
    expect(await languageOf(await signedIn(instance, email))).toBe('de')
  })
})

describe('switching the clinic', () => {
  test('gives a browser a new session there and ends the old one', async () => {
    const other = await instance.anotherClinic()
    const user = await aUser(instance)
    await createUser(instance.runtime.host, { email: user.email, clinic_id: other.id, role: 'admin' }, { by: 'operator' })
    const browser = await signedIn(instance, user.email)
    const before = browser.cookies.get('svc_session@/')!.value
    const { status, body } = await browser.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })
    expect([status, body.data.clinic.id, body.data.role]).toEqual([200, other.id, 'admin'])
    expect((await browser.get('/me')).body).toEqual(body)
    expect((await createCaller(instance.url, { bearer: before }).get('/me')).status).toBe(401)
    const { data } = (await browser.get(`/api/v1/audit?action=sign_in&actor=${user.id}`)).body
    expect(data).toMatchObject([{ target: { kind: 'user', id: user.id }, detail: { way: 'switch' }, address: '127.0.0.1' }])
  })

  test('keeps the value of a bearer token', async () => {
    const other = await instance.anotherClinic()
    const user = await aUser(instance)
    await createUser(
      instance.runtime.host,
      { email: user.email, clinic_id: other.id, role: 'dentist' },
      { by: 'operator' }
    )
    const { body } = await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })
    const bearer = createCaller(instance.url, { bearer: body.data.access_token })
    await bearer.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })
    expect((await bearer.get('/me')).body.data.clinic.id).toBe(other.id)
    const rows = await instance.sql`select detail from core_audit where clinic_id = ${other.id} and action = 'sign_in'`
    expect(rows).toEqual([{ detail: { way: 'switch' } }])
  })

  test('answers 404 for a clinic that the person does not belong to', async () => {
    const other = await instance.anotherClinic()
    const browser = await signedIn(instance, (await aUser(instance)).email)
    expect((await browser.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })).status).toBe(404)
  })
})

describe('a password', () => {
  test('that is changed ends the other sessions and keeps the current one', async () => {
    const { email } = await aUser(instance)
    const [here, there] = [await signedIn(instance, email), await signedIn(instance, email)]
    const { status } = await here.post('/api/v1/auth/password', { current: PASSWORD, new: 'another password' })
    expect(status).toBe(204)
    expect((await here.get('/me')).status).toBe(200)
    expect((await there.get('/me')).status).toBe(401)
    expect((await instance.anonymous().post(LOGIN, { email, password: PASSWORD })).status).toBe(401)
    await signedIn(instance, email, 'another password')
  })

  test('change with a wrong current password is 403 wrong_password, with a short new one 422', async () => {
    const browser = await signedIn(instance, (await aUser(instance)).email)
    const wrong = await browser.post('/api/v1/auth/password', { current: 'wrong', new: 'another password' })
    expect([wrong.status, wrong.body.code]).toEqual([403, 'wrong_password'])
    const short = await browser.post('/api/v1/auth/password', { current: PASSWORD, new: 'short' })
    expect([short.status, short.body.errors[0].pointer]).toEqual([422, '/new'])
  })

  test('reset by mail has a token that works once, and ends every session', async () => {
    const { email } = await aUser(instance)
    const browser = await signedIn(instance, email)
    expect((await instance.anonymous().post('/api/v1/auth/password-reset', { email })).status).toBe(204)
    const token = await mailedToken(instance, email)
    expect(
      (await instance.anonymous().post('/api/v1/auth/password-reset', { token, password: 'a new password' })).status
    ).toBe(204)
    expect((await browser.get('/me')).status).toBe(401)
    await signedIn(instance, email, 'a new password')
    const again = await instance.anonymous().post('/api/v1/auth/password-reset', { token, password: 'once more, please' })
    expect([again.status, again.body.code]).toEqual([404, 'mailed_token_not_found'])
  })

  test('reset for an unknown address gets the same answer', async () => {
    expect((await instance.anonymous().post('/api/v1/auth/password-reset', { email: 'nobody@clinic.test' })).status).toBe(204)
  })

  test('reset is refused with a token that is too old or of another kind', async () => {
    const admin = await instance.as('admin')
    const email = `late-${randomBytes(4).toString('hex')}@clinic.test`
    await admin.post('/api/v1/users', { email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' })
    const token = await mailedToken(instance, email)
    expect((await instance.anonymous().post('/api/v1/auth/password-reset', { token, password: PASSWORD })).status).toBe(404)
    await instance.sql`update core_mailed_token set expires_at = now() where user_id = (select id from core_user where email = ${email})`
    expect((await instance.anonymous().post('/api/v1/auth/invitation', { token, password: PASSWORD })).status).toBe(404)
  })
})
