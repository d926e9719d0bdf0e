import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../server/core/auth/create-token.ts'
import { createUser } from '../../server/core/auth/create-user.ts'
import { revokeToken } from '../../server/core/auth/revoke-token.ts'
import { eventually } from '../support/builders.ts'
import { createCaller, type Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { PASSWORD } from '../support/people.ts'

let it: Instance
beforeAll(async () => { it = await anInstance() })
afterAll(() => it.close())

const LOGIN = '/api/v1/auth/login'

async function aUser(fields: { clinic_id?: string, role?: 'admin' | 'receptionist', instance_admin?: boolean, password?: string | null } = {}) {
  const email = `user-${randomBytes(4).toString('hex')}@clinic.test`
  const { id } = await createUser(it.runtime.services, { email, first_name: 'Rosa', last_name: 'Gil', clinic_id: it.clinic.id, role: 'receptionist', password: PASSWORD, ...fields })
  return { id, email }
}

async function loggedIn(email: string, password = PASSWORD): Promise<Caller> {
  const browser = it.anonymous()
  const { status, body } = await browser.post(LOGIN, { email, password })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return browser
}

describe('log-in', () => {
  test('gives a bearer token and the same as a cookie: HttpOnly, SameSite=Lax, not Secure on http', async () => {
    const { email } = await aUser()
    const { status, headers, body } = await it.anonymous().post(LOGIN, { email: email.toUpperCase(), password: PASSWORD })
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(['access_token', 'expires_at', 'token_type'])
    expect(body.data.token_type).toBe('bearer')
    expect(new Date(body.data.expires_at).toISOString()).toBe(body.data.expires_at)
    expect(headers.getSetCookie()).toEqual([`svc_session=${body.data.access_token}; Path=/; HttpOnly; SameSite=Lax`])
    const bearer = createCaller(it.url, { bearer: body.data.access_token })
    expect((await bearer.get('/me')).body.data.user.email).toBe(email)
  })

  test('the database keeps no session value', async () => {
    const { email } = await aUser()
    const { body } = await it.anonymous().post(LOGIN, { email, password: PASSWORD })
    const [row] = await it.sql`select count(*)::int as n from core_session where encode(token_hash, 'escape') like ${`%${body.data.access_token}%`}`
    expect(row!.n).toBe(0)
  })

  test('an unknown account and a wrong password are refused alike', async () => {
    const { email } = await aUser()
    const wrong = await it.anonymous().post(LOGIN, { email, password: 'not the password' })
    const unknown = await it.anonymous().post(LOGIN, { email: 'nobody@clinic.test', password: PASSWORD })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'bad_credentials'])
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' })
  })

  test('five failures a minute: the sixth try is refused with 429 and Retry-After, also with the right password', async () => {
    const { email } = await aUser()
    for (let i = 0; i < 5; i++) expect((await it.anonymous().post(LOGIN, { email, password: 'wrong' })).status).toBe(401)
    const sixth = await it.anonymous().post(LOGIN, { email, password: PASSWORD })
    expect([sixth.status, sixth.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('of parallel guesses only five are compared', async () => {
    const { email } = await aUser()
    const answers = await Promise.all(Array.from({ length: 30 }, () => it.anonymous().post(LOGIN, { email, password: 'wrong' })))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25)
  })

  test('ten right passwords in a row are fine', async () => {
    const { email } = await aUser()
    for (let i = 0; i < 10; i++) expect((await it.anonymous().post(LOGIN, { email, password: PASSWORD })).status).toBe(200)
  })

  test('somebody without a password, or without any active membership, cannot log in', async () => {
    const invited = await aUser({ password: null })
    const left = await aUser()
    await it.sql`update core_membership set active = false where user_id = ${left.id}`
    expect((await it.anonymous().post(LOGIN, { email: invited.email, password: PASSWORD })).status).toBe(401)
    expect((await it.anonymous().post(LOGIN, { email: left.email, password: PASSWORD })).status).toBe(401)
  })
})

describe('the session', () => {
  test('log-out ends it on the server', async () => {
    const { email } = await aUser()
    const { body } = await it.anonymous().post(LOGIN, { email, password: PASSWORD })
    const bearer = createCaller(it.url, { bearer: body.data.access_token })
    const out = await bearer.post('/api/v1/auth/logout')
    expect(out.status).toBe(204)
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect((await bearer.get('/me')).status).toBe(401)
  })

  test('12 hours without use end it; use keeps it', async () => {
    const user = await aUser()
    const browser = await loggedIn(user.email)
    await it.sql`update core_session set last_used_at = now() - interval '11 hours 59 minutes' where user_id = ${user.id}`
    expect((await browser.get('/me')).status).toBe(200)
    const [touched] = await it.sql`select last_used_at > now() - interval '1 minute' as fresh from core_session where user_id = ${user.id}`
    expect(touched!.fresh).toBe(true)
    await it.sql`update core_session set last_used_at = now() - interval '12 hours 1 second' where user_id = ${user.id}`
    expect((await browser.get('/me')).status).toBe(401)
  })

  test('it is touched at most once a minute', async () => {
    const user = await aUser()
    const browser = await loggedIn(user.email)
    await it.sql`update core_session set last_used_at = now() - interval '50 seconds' where user_id = ${user.id}`
    const before = await it.sql`select last_used_at::text from core_session where user_id = ${user.id}`
    await browser.get('/me')
    expect(await it.sql`select last_used_at::text from core_session where user_id = ${user.id}`).toEqual(before)
  })

  test('role and permissions are read with each request', async () => {
    const user = await aUser({ role: 'admin' })
    const browser = await loggedIn(user.email)
    expect((await browser.get('/api/v1/users')).status).toBe(200)
    await it.sql`update core_membership set role = 'receptionist' where user_id = ${user.id}`
    const denied = await browser.get('/api/v1/users')
    expect([denied.status, denied.body.code, denied.body.detail]).toEqual([403, 'permission_denied', 'Permission denied: users.manage'])
    await it.sql`update core_membership set active = false where user_id = ${user.id}`
    expect((await browser.get('/me')).status).toBe(401)
  })

  test('a wrong bearer value is refused, although a good cookie came with it', async () => {
    const { email } = await aUser()
    const browser = await loggedIn(email)
    expect((await browser.get('/me', { headers: { authorization: 'Bearer nonsense-nonsense-nonsense' } })).status).toBe(401)
    expect((await browser.get('/me', { headers: { authorization: 'Basic abc' } })).status).toBe(401)
  })
})

describe('/me', () => {
  test('shows the person, the clinic, the role, concrete permissions and the clinics', async () => {
    const { id, email } = await aUser({ role: 'admin' })
    const browser = await loggedIn(email)
    const { body } = await browser.get('/me')
    expect(body.data).toEqual({
      user: { id, email, first_name: 'Rosa', last_name: 'Gil', instance_admin: false },
      clinic: { id: it.clinic.id, name: 'Clínica Peñalver', currency: 'EUR', time_zone: 'Europe/Madrid', locale: 'es' },
      role: 'admin',
      permissions: expect.arrayContaining(['users.manage', 'clinic.manage', 'budget.read', 'budget.write']),
      clinics: [{ id: it.clinic.id, name: 'Clínica Peñalver', role: 'admin' }]
    })
    expect(body.data.permissions.some((name: string) => name.includes('*'))).toBe(false)
    expect((await browser.get('/api/v1/me')).body).toEqual(body)
  })

  test('without a session 401', async () => {
    const { status, body } = await it.anonymous().get('/me')
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  })
})

describe('switching the clinic', () => {
  test('a browser gets a new session there, and the old one ends', async () => {
    const other = await it.anotherClinic()
    const user = await aUser()
    await createUser(it.runtime.services, { email: user.email, clinic_id: other.id, role: 'admin' })
    const browser = await loggedIn(user.email)
    const before = browser.cookies.get('svc_session@/')!.value
    const { status, body } = await browser.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })
    expect([status, body.data.clinic.id, body.data.role]).toEqual([200, other.id, 'admin'])
    expect((await browser.get('/me')).body).toEqual(body)
    expect((await createCaller(it.url, { bearer: before }).get('/me')).status).toBe(401)
  })

  test('a bearer keeps its value', async () => {
    const other = await it.anotherClinic()
    const user = await aUser()
    await createUser(it.runtime.services, { email: user.email, clinic_id: other.id, role: 'dentist' })
    const { body } = await it.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })
    const bearer = createCaller(it.url, { bearer: body.data.access_token })
    await bearer.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })
    expect((await bearer.get('/me')).body.data.clinic.id).toBe(other.id)
  })

  test('a clinic that one does not belong to is 404', async () => {
    const other = await it.anotherClinic()
    const browser = await loggedIn((await aUser()).email)
    expect((await browser.post('/api/v1/auth/switch-clinic', { clinic_id: other.id })).status).toBe(404)
  })
})

describe('passwords', () => {
  test('a change ends the other sessions and keeps this one', async () => {
    const { email } = await aUser()
    const [here, there] = [await loggedIn(email), await loggedIn(email)]
    const { status } = await here.post('/api/v1/auth/password', { current: PASSWORD, new: 'another password' })
    expect(status).toBe(204)
    expect((await here.get('/me')).status).toBe(200)
    expect((await there.get('/me')).status).toBe(401)
    expect((await it.anonymous().post(LOGIN, { email, password: PASSWORD })).status).toBe(401)
    await loggedIn(email, 'another password')
  })

  test('a wrong current one is 403 wrong_password, a short new one 422', async () => {
    const browser = await loggedIn((await aUser()).email)
    const wrong = await browser.post('/api/v1/auth/password', { current: 'wrong', new: 'another password' })
    expect([wrong.status, wrong.body.code]).toEqual([403, 'wrong_password'])
    const short = await browser.post('/api/v1/auth/password', { current: PASSWORD, new: 'short' })
    expect([short.status, short.body.errors[0].pointer]).toEqual([422, '/new'])
  })

  test('reset by mail: the token works once, and every session ends', async () => {
    const { email } = await aUser()
    const browser = await loggedIn(email)
    expect((await it.anonymous().post('/api/v1/auth/password-reset', { email })).status).toBe(204)
    const token = await mailedToken(email)
    expect((await it.anonymous().post('/api/v1/auth/password-reset', { token, password: 'a new password' })).status).toBe(204)
    expect((await browser.get('/me')).status).toBe(401)
    await loggedIn(email, 'a new password')
    const again = await it.anonymous().post('/api/v1/auth/password-reset', { token, password: 'once more, please' })
    expect([again.status, again.body.code]).toEqual([404, 'mailed_token_not_found'])
  })

  test('a reset for an unknown address answers alike', async () => {
    expect((await it.anonymous().post('/api/v1/auth/password-reset', { email: 'nobody@clinic.test' })).status).toBe(204)
  })

  test('a token that is too old, or of the other kind, is refused', async () => {
    const admin = await it.as('admin')
    const email = `late-${randomBytes(4).toString('hex')}@clinic.test`
    await admin.post('/api/v1/users', { email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' })
    const token = await mailedToken(email)
    expect((await it.anonymous().post('/api/v1/auth/password-reset', { token, password: PASSWORD })).status).toBe(404)
    await it.sql`update core_mailed_token set expires_at = now() where user_id = (select id from core_user where email = ${email})`
    expect((await it.anonymous().post('/api/v1/auth/invitation', { token, password: PASSWORD })).status).toBe(404)
  })
})

describe('users', () => {
  test('somebody without a password is invited by mail and takes the invitation', async () => {
    const admin = await it.as('admin')
    const email = `invited-${randomBytes(4).toString('hex')}@clinic.test`
    const { status, body } = await admin.post('/api/v1/users', { email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' })
    expect([status, body.data.invited, body.data.role]).toEqual([201, true, 'dentist'])
    expect((await it.anonymous().post('/api/v1/auth/invitation', { token: await mailedToken(email), password: 'my own password' })).status).toBe(204)
    expect((await (await loggedIn(email, 'my own password')).get('/me')).body.data.role).toBe('dentist')
    expect((await admin.get(`/api/v1/users/${body.data.id}`)).body.data.invited).toBe(false)
  })

  test('the same address twice in one clinic is 409 user_exists', async () => {
    const admin = await it.as('admin')
    const { email } = await aUser()
    const { status, body } = await admin.post('/api/v1/users', { email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' })
    expect([status, body.code]).toEqual([409, 'user_exists'])
  })

  test('an account of another clinic becomes a member here and keeps its password', async () => {
    const other = await it.anotherClinic()
    const { email } = await aUser({ clinic_id: other.id })
    const admin = await it.as('admin')
    expect((await admin.post('/api/v1/users', { email, first_name: 'X', last_name: 'Y', role: 'dentist', password: 'taken over!' })).status).toBe(201)
    expect((await it.anonymous().post(LOGIN, { email, password: 'taken over!' })).status).toBe(401)
    const browser = await loggedIn(email)
    expect((await browser.get('/me')).body.data.clinics).toHaveLength(2)
  })

  test('shutting somebody out ends their sessions', async () => {
    const admin = await it.as('admin')
    const user = await aUser()
    const browser = await loggedIn(user.email)
    const { body } = await admin.patch(`/api/v1/users/${user.id}`, { active: false })
    expect(body.data.active).toBe(false)
    expect((await browser.get('/me')).status).toBe(401)
  })

  test('of two administrators who demote each other one stays', async () => {
    const clinic = await it.anotherClinic()
    const [a, b] = [await aUser({ clinic_id: clinic.id, role: 'admin' }), await aUser({ clinic_id: clinic.id, role: 'admin' })]
    const [as, bs] = [await loggedIn(a.email), await loggedIn(b.email)]
    const answers = await Promise.all([as.patch(`/api/v1/users/${b.id}`, { role: 'dentist' }), bs.patch(`/api/v1/users/${a.id}`, { role: 'dentist' })])
    const [left] = await it.sql`select count(*)::int as n from core_membership where clinic_id = ${clinic.id} and role = 'admin' and active`
    expect(left!.n).toBe(1)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, answers.some(({ status }) => status === 403) ? 403 : 409])
  })

  test('the list is searched and paged', async () => {
    const clinic = await it.anotherClinic()
    const admin = await loggedIn((await aUser({ clinic_id: clinic.id, role: 'admin' })).email)
    for (const first_name of ['Berta', 'Carla']) await admin.post('/api/v1/users', { email: `${first_name}-${randomBytes(3).toString('hex')}@clinic.test`, first_name, last_name: '100%', role: 'assistant', password: PASSWORD })
    const found = await admin.get('/api/v1/users?search=carla%20100%25')
    expect([found.body.total, found.body.page, found.body.page_size, found.body.data[0].first_name]).toEqual([1, 1, 20, 'Carla'])
    const second = await admin.get('/api/v1/users?page=2&page_size=2')
    expect([second.body.total, second.body.data.length]).toEqual([3, 1])
    expect((await admin.get('/api/v1/users?page=9')).body).toMatchObject({ data: [], total: 3 })
  })

  test('another clinic\'s people and malformed ids are 404', async () => {
    const other = await it.anotherClinic()
    const stranger = await aUser({ clinic_id: other.id })
    const admin = await it.as('admin')
    for (const id of [stranger.id, 'nonsense', '%00', '00000000-0000-0000-0000-000000000000']) {
      expect((await admin.patch(`/api/v1/users/${id}`, { active: false })).status).toBe(404)
    }
  })

  test.each(['dentist', 'hygienist', 'assistant', 'receptionist'] as const)('a %s may not manage them', async (role) => {
    const staff = await it.as(role)
    for (const answer of [await staff.get('/api/v1/users'), await staff.post('/api/v1/users', {}), await staff.get('/api/v1/clinic'), await staff.patch('/api/v1/clinic', {})]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'permission_denied'])
    }
  })
})

describe('tokens', () => {
  test('a token of scope admin works until it is revoked or expires', async () => {
    const { services } = it.runtime
    const { id, token } = await createToken(services, { scope: 'admin', name: 'ops' })
    const caller = createCaller(it.url, { bearer: token })
    expect((await caller.get('/api/v1/modules')).status).toBe(200)
    expect(await revokeToken(services, id)).toBe(true)
    expect(await revokeToken(services, id)).toBe(false)
    expect((await caller.get('/api/v1/modules')).status).toBe(401)
    const late = await createToken(services, { scope: 'admin', expires_at: new Date(0) })
    expect((await createCaller(it.url, { bearer: late.token }).get('/api/v1/modules')).status).toBe(401)
  })

  test('a clinic administrator is not enough for the instance: 403 modules.manage', async () => {
    const { status, body } = await (await it.as('admin')).get('/api/v1/modules')
    expect([status, body.detail]).toEqual([403, 'Permission denied: modules.manage'])
  })

  test('an instance administrator\'s session is', async () => {
    const { email } = await aUser({ instance_admin: true })
    expect((await (await loggedIn(email)).get('/api/v1/modules')).status).toBe(200)
  })

  test('a token belongs to no person and to no clinic', async () => {
    const caller = await it.asInstanceAdmin()
    expect((await caller.get('/me')).status).toBe(403)
    expect((await caller.get('/api/v1/users')).status).toBe(403)
    expect((await caller.get('/api/v1/modules/-/active')).status).toBe(200)
  })
})

async function mailedToken(email: string): Promise<string> {
  const outbox = join(it.storage, 'outbox')
  return await eventually(async () => {
    const files = await readdir(outbox).catch(() => [])
    const mails = await Promise.all(files.map(file => readFile(join(outbox, file), 'utf8')))
    const mail = mails.filter(text => text.includes(`To: ${email}`)).at(-1)?.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    return mail?.match(/#([\w-]{43})/)?.[1]
  }, `a mail to ${email}`)
}
