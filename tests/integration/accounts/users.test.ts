import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkSealedRows } from '../../../server/core/people/seals/sealed-rows-advice.ts'
import { createToken } from '../../../server/core/people/tokens/create-token.ts'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import { deactivateAccount } from '../../../server/core/people/accounts/deactivate-account.ts'
import { sendPasswordReset } from '../../../server/core/people/mail/mails.ts'
import { revokeToken } from '../../../server/core/people/tokens/revoke-token.ts'
import { aUser, LOGIN, mailedToken, signedIn } from '../../support/accounts.ts'
import { createCaller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'
import { sealAgain } from '../../support/documents/seals.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

describe('users', () => {
  test('without a password are invited by mail and accept the invitation', async () => {
    const admin = await instance.as('admin')
    const email = `invited-${randomBytes(4).toString('hex')}@clinic.test`
    const { status, body } = await admin.post('/api/v1/users', {
      email,
      first_name: 'Ana',
      last_name: 'Ruiz',
      role: 'dentist'
    })
    expect([status, body.data.invited, body.data.role]).toEqual([201, true, 'dentist'])
    expect(
      (
        await instance
          .anonymous()
          .post('/api/v1/auth/invitation', { token: await mailedToken(instance, email), password: 'my own password' })
      ).status
    ).toBe(204)
    expect((await (await signedIn(instance, email, 'my own password')).get('/me')).body.data.role).toBe('dentist')
    expect((await admin.get(`/api/v1/users/${body.data.id}`)).body.data.invited).toBe(false)
  })

  describe('whose invitation was refused by the mail server', () => {
    const aPerson = () => ({
      email: `handed-${randomBytes(4).toString('hex')}@clinic.test`,
      first_name: 'Ana',
      last_name: 'Ruiz',
      role: 'dentist'
    })
    const tokenIn = (url: string) => url.replace(`${instance.url}/invitation#`, '')
    const take = (url: string, password = 'my own password') =>
      instance.anonymous().post('/api/v1/auth/invitation', { token: tokenIn(url), password })

    test('are reported as such, with a link to hand over that works once', async () => {
      const admin = await instance.as('admin')
      const person = aPerson()
      const { status, body } = await admin.post('/api/v1/users', person)
      expect([status, body.data.invited, body.data.invitation]).toEqual([
        201,
        true,
        { delivered_via: 'file', url: expect.stringMatching(/\/invitation#[\w-]{43}$/) }
      ])
      expect((await take(body.data.invitation.url)).status).toBe(204)
      expect((await take(body.data.invitation.url)).status).toBe(404)
      expect((await (await signedIn(instance, person.email, 'my own password')).get('/me')).body.data.role).toBe('dentist')
    })

    test('can be invited again until they accept: the previous link ends', async () => {
      const admin = await instance.as('admin')
      const person = aPerson()
      const { id, invitation: first } = (await admin.post('/api/v1/users', person)).body.data
      const { status, body: { data: second } } = await admin.post(`/api/v1/users/${id}/invitation`)
      expect([status, second.delivered_via]).toEqual([200, 'file'])
      expect((await take(first.url)).status).toBe(404)
      await admin.patch(`/api/v1/users/${id}`, { active: false })
      expect((await admin.post(`/api/v1/users/${id}/invitation`)).body).toMatchObject({
        status: 409,
        code: 'wrong_state'
      })
      expect((await take(second.url)).status).toBe(404)
      await admin.patch(`/api/v1/users/${id}`, { active: true })
      expect((await take(second.url)).status).toBe(204)
      await signedIn(instance, person.email, 'my own password')
      expect((await admin.post(`/api/v1/users/${id}/invitation`)).body).toMatchObject({
        status: 409,
        code: 'wrong_state'
      })
      const stranger = await instance.as('admin', await instance.anotherClinic())
      expect((await stranger.post(`/api/v1/users/${id}/invitation`)).status).toBe(404)
      expect((await (await instance.as('receptionist')).post(`/api/v1/users/${id}/invitation`)).status).toBe(403)
    })

    test('have one working link when invited several times at once; the other links are 404', async () => {
      const admin = await instance.as('admin')
      const { id } = (await admin.post('/api/v1/users', aPerson())).body.data
      const made = await Promise.all(Array.from({ length: 4 }, () => admin.post(`/api/v1/users/${id}/invitation`)))
      const taken = await Promise.all(made.map(({ body }) => take(body.data.url)))
      expect(taken.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
    })

    test('get no link when they have a password', async () => {
      expect(
        (await (await instance.as('admin')).post('/api/v1/users', { ...aPerson(), password: PASSWORD })).body.data.invitation
      ).toBeNull()
    })

    test('prove no address by accepting: no other clinic that asks opens to them before they respond to a mail', async () => {
      const person = aPerson()
      const foreign = await instance.as('admin', await instance.anotherClinic())
      const { invitation } = (await foreign.post('/api/v1/users', person)).body.data
      expect((await take(invitation.url)).status).toBe(204)
      expect((await (await instance.as('admin')).post('/api/v1/users', person)).status).toBe(201)
      const stranger = await signedIn(instance, person.email, 'my own password')
      expect((await stranger.post(`/api/v1/auth/memberships/${instance.clinic.id}`, { accept: true })).body.code).toBe(
        'account_unproven'
      )
      expect((await stranger.get('/me')).body.data.clinics).toHaveLength(1)
      expect(
        (
          await instance
            .anonymous()
            .post('/api/v1/auth/invitation', {
              token: await mailedToken(instance, person.email),
              password: 'known to me alone'
            })
        ).status
      ).toBe(204)
      expect((await (await signedIn(instance, person.email, 'known to me alone')).get('/me')).body.data.clinics).toHaveLength(
        2
      )
    })

    test('of another clinic are not taken over, and a second clinic that invites them does not end the first link', async () => {
      const person = aPerson()
      const foreign = await instance.as('admin', await instance.anotherClinic())
      const { invitation: first } = (await foreign.post('/api/v1/users', person)).body.data
      const second = await (await instance.as('admin')).post('/api/v1/users', person)
      expect([second.status, second.body.data.invitation]).toEqual([
        201,
        { delivered_via: 'file', url: expect.stringMatching(/\/invitation#[\w-]{43}$/) }
      ])
      expect((await take(first.url)).status).toBe(204)
      expect((await take(second.body.data.invitation.url)).status).toBe(404)
      expect((await (await signedIn(instance, person.email, 'my own password')).get('/me')).body.data.clinics).toHaveLength(1)
    })

    test('that administer the instance are not taken over', async () => {
      const person = aPerson()
      const admin = await instance.as('admin')
      const { invitation } = (await admin.post('/api/v1/users', person)).body.data
      await expect(
        createUser(instance.runtime.host, { email: person.email, instance_admin: true }, { by: 'operator' })
      ).rejects.toMatchObject({ code: 'user_exists' })
      await instance.sql`update core_user set instance_admin = true where email = ${person.email}`
      await sealAgain(instance.sql, 'user')
      expect((await take(invitation.url)).status).toBe(404)
    })
  })

  test('get 409 user_exists for the same address twice in one clinic', async () => {
    const admin = await instance.as('admin')
    const { email } = await aUser(instance)
    const { status, body } = await admin.post('/api/v1/users', {
      email,
      first_name: 'Ana',
      last_name: 'Ruiz',
      role: 'dentist'
    })
    expect([status, body.code]).toEqual([409, 'user_exists'])
  })

  test('whose password a clinic chose enter no other clinic until they have responded to a mail', async () => {
    const foreign = await instance.as('admin', await instance.anotherClinic())
    const admin = await instance.as('admin')
    const email = `victim-${randomBytes(4).toString('hex')}@clinic.test`
    const person = { email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' }
    expect((await foreign.post('/api/v1/users', { ...person, password: 'known to a stranger' })).status).toBe(201)

    expect((await admin.post('/api/v1/users', person)).status).toBe(201)
    const stranger = await signedIn(instance, email, 'known to a stranger')
    expect((await stranger.post(`/api/v1/auth/memberships/${instance.clinic.id}`, { accept: true })).body.code).toBe(
      'account_unproven'
    )
    await expect(
      createUser(instance.runtime.host, { email, instance_admin: true }, { by: 'operator' })
    ).rejects.toMatchObject({ code: 'account_unproven' })

    expect(
      (
        await instance
          .anonymous()
          .post('/api/v1/auth/invitation', { token: await mailedToken(instance, email), password: 'known to me alone' })
      ).status
    ).toBe(204)
    expect((await instance.anonymous().post(LOGIN, { email, password: 'known to a stranger' })).status).toBe(401)
    expect((await (await signedIn(instance, email, 'known to me alone')).get('/me')).body.data.clinics).toHaveLength(2)
  })

  test('lose their sessions when they are deactivated', async () => {
    const admin = await instance.as('admin')
    const user = await aUser(instance)
    const browser = await signedIn(instance, user.email)
    const { body } = await admin.patch(`/api/v1/users/${user.id}`, { active: false })
    expect(body.data.active).toBe(false)
    expect((await browser.get('/me')).status).toBe(401)
  })

  test('deactivated by the operator stay out, whatever the clinic does, until the operator sets a new password', async () => {
    const admin = await instance.as('admin')
    const user = await aUser(instance)
    await deactivateAccount(instance.runtime.host, user.email)
    const change = await admin.patch(`/api/v1/users/${user.id}`, { active: true })
    expect([change.status, change.body.detail]).toEqual([
      409,
      'The operator of the service deactivated this account. Ask them to activate it.'
    ])
    const other = await instance.as('admin', await instance.anotherClinic())
    expect(
      (await other.post('/api/v1/users', { email: user.email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' }))
        .status
    ).toBe(201)
    await sendPasswordReset(instance.runtime.host, user.email)
    expect(
      await instance.sql`select from core_mailed_token where user_id = ${user.id} and purpose = 'password_reset'`
    ).toHaveLength(0)
    expect((await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })).status).toBe(401)

    await createUser(
      instance.runtime.host,
      { email: user.email, clinic_id: instance.clinic.id, role: 'dentist', password: 'lamp orbit velvet nine' },
      { by: 'operator' }
    )
    expect((await instance.anonymous().post(LOGIN, { email: user.email, password: PASSWORD })).status).toBe(401)
    expect((await (await signedIn(instance, user.email, 'lamp orbit velvet nine')).get('/me')).body.data.role).toBe('dentist')
  })

  test('that are administrators cannot both demote each other: one stays', async () => {
    const clinic = await instance.anotherClinic()
    const [a, b] = [
      await aUser(instance, { clinic_id: clinic.id, role: 'admin' }),
      await aUser(instance, { clinic_id: clinic.id, role: 'admin' })
    ]
    const [as, bs] = [await signedIn(instance, a.email), await signedIn(instance, b.email)]
    const answers = await Promise.all([
      as.patch(`/api/v1/users/${b.id}`, { role: 'dentist' }),
      bs.patch(`/api/v1/users/${a.id}`, { role: 'dentist' })
    ])
    const [left]
      = await instance.sql`select count(*)::int as n from core_membership where clinic_id = ${clinic.id} and role = 'admin' and active`
    expect(left!.n).toBe(1)
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      answers.some(({ status }) => status === 403) ? 403 : 409
    ])
  })

  test('are listed with search and pages', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await signedIn(instance, (await aUser(instance, { clinic_id: clinic.id, role: 'admin' })).email)
    for (const first_name of ['Berta', 'Carla'])
      await admin.post('/api/v1/users', {
        email: `${first_name}-${randomBytes(3).toString('hex')}@clinic.test`,
        first_name,
        last_name: '100%',
        role: 'assistant',
        password: PASSWORD
      })
    const found = await admin.get('/api/v1/users?search=carla%20100%25')
    expect([found.body.total, found.body.page, found.body.page_size, found.body.data[0].first_name]).toEqual([
      1,
      1,
      20,
      'Carla'
    ])
    const second = await admin.get('/api/v1/users?page=2&page_size=2')
    expect([second.body.total, second.body.data.length]).toEqual([3, 1])
    expect((await admin.get('/api/v1/users?page=9')).body).toMatchObject({ data: [], total: 3 })
  })

  test('of another clinic, and malformed ids, are 404', async () => {
    const other = await instance.anotherClinic()
    const stranger = await aUser(instance, { clinic_id: other.id })
    const admin = await instance.as('admin')
    for (const id of [stranger.id, 'nonsense', '%00', '00000000-0000-0000-0000-000000000000']) {
      expect((await admin.patch(`/api/v1/users/${id}`, { active: false })).status).toBe(404)
    }
  })

  test.each(['dentist', 'hygienist', 'assistant', 'receptionist'] as const)('cannot be managed by a %s', async (role) => {
    const staff = await instance.as(role)
    for (const answer of [
      await staff.get('/api/v1/users'),
      await staff.post('/api/v1/users', {}),
      await staff.get('/api/v1/clinic'),
      await staff.patch('/api/v1/clinic', {})
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'permission_denied'])
    }
  })
})

describe('tokens', () => {
  test('with scope admin work until they are revoked or expire', async () => {
    const { host } = instance.runtime
    const { id, token } = await createToken(host, { scope: 'admin', name: 'ops' })
    const caller = createCaller(instance.url, { bearer: token })
    expect((await caller.get('/api/v1/modules')).status).toBe(200)
    expect(await revokeToken(host, id)).toBe(true)
    expect(await revokeToken(host, id)).toBe(false)
    expect((await caller.get('/api/v1/modules')).status).toBe(401)
    const late = await createToken(host, { scope: 'admin', expires_at: new Date(0) })
    expect((await createCaller(instance.url, { bearer: late.token }).get('/api/v1/modules')).status).toBe(401)
  })

  test('are not managed by a clinic administrator: 403 modules.manage', async () => {
    const { status, body } = await (await instance.as('admin')).get('/api/v1/modules')
    expect([status, body.detail]).toEqual([403, 'Permission denied: modules.manage'])
  })

  test('are managed in the session of an instance administrator', async () => {
    const { email } = await aUser(instance, { instance_admin: true })
    expect((await (await signedIn(instance, email)).get('/api/v1/modules')).status).toBe(200)
  })

  test('belong to no person and no clinic', async () => {
    const caller = await instance.asInstanceAdmin()
    expect((await caller.get('/me')).status).toBe(403)
    expect((await caller.get('/api/v1/users')).status).toBe(403)
    expect((await caller.get('/api/v1/modules/-/active')).status).toBe(200)
  })
})

test('every row that was written here has a valid seal', async () => {
  const { db, secrets } = instance.runtime.host
  expect(await checkSealedRows(db, { secrets })).toEqual([])
})
