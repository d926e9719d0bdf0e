import type { Client } from '@svc/kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePassword } from '../../../server/core/people/passwords/change-password.ts'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import type { CoreActor } from '../../../server/core/http/types.ts'
import { signIn } from '../../../server/core/people/sign-in/sign-in.ts'
import { endSessionsOf } from '../../../server/core/people/sessions/sessions.ts'
import { switchClinic } from '../../../server/core/people/sessions/switch-clinic.ts'
import { aUser, LOGIN, mailedToken, signedIn } from '../../support/accounts.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'
import { sealAgain } from '../../support/documents/seals.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const TOO_COMMON = 'This password is too easy to guess. Choose a less common one, for example four unrelated words.'

/** Every way to set a password over HTTP, with the field that contains it. */
const WAYS = {
  'POST /users': async (email: string, password: string) => {
    const admin = await instance.as('admin')
    return {
      pointer: '/password',
      answer: await admin.post('/api/v1/users', {
        email,
        first_name: 'Ana',
        last_name: 'Ruiz',
        role: 'dentist',
        password
      })
    }
  },
  'an invitation': async (email: string, password: string) => {
    await (await instance.as('admin')).post('/api/v1/users', { email, first_name: 'Ana', last_name: 'Ruiz', role: 'dentist' })
    return {
      pointer: '/password',
      answer: await instance.anonymous().post('/api/v1/auth/invitation', { token: await mailedToken(instance, email), password })
    }
  },
  'a reset': async (email: string, password: string) => {
    await aUser(instance, { email })
    await instance.anonymous().post('/api/v1/auth/password-reset', { email })
    return {
      pointer: '/password',
      answer: await instance
        .anonymous()
        .post('/api/v1/auth/password-reset', { token: await mailedToken(instance, email), password })
    }
  },
  'a change': async (email: string, password: string) => {
    await aUser(instance, { email })
    return {
      pointer: '/new',
      answer: await (await signedIn(instance, email)).post('/api/v1/auth/password', { current: PASSWORD, new: password })
    }
  }
}

test.each(Object.entries(WAYS))(
  '%s refuses a common password and accepts four unrelated words',
  async (way, set) => {
    const email = (what: string) => `${what}-${way.replaceAll(/\W/g, '')}@clinic.test`.toLowerCase()
    const { answer: refused, pointer } = await set(email('common'), 'Password1234')
    expect([refused.status, refused.body.errors]).toEqual([422, [{ pointer, message: TOO_COMMON }]])
    expect((await set(email('words'), 'lamp orbit velvet nine')).answer.status).toBeLessThan(300)
    await signedIn(instance, email('words'), 'lamp orbit velvet nine')
  }
)

test('a mailed link still works after a password was refused', async () => {
  const { email } = await aUser(instance)
  await instance.anonymous().post('/api/v1/auth/password-reset', { email })
  const token = await mailedToken(instance, email)
  expect((await instance.anonymous().post('/api/v1/auth/password-reset', { token, password: 'Password1234' })).status).toBe(
    422
  )
  expect(
    (await instance.anonymous().post('/api/v1/auth/password-reset', { token, password: 'lamp orbit velvet nine' })).status
  ).toBe(204)
})

test('the operator\'s passwords follow the same rules', async () => {
  const refused = createUser(
    instance.runtime.host,
    { email: 'ops@clinic.test', instance_admin: true, password: 'Password1234' },
    { by: 'operator' }
  )
  await expect(refused).rejects.toMatchObject({
    code: 'validation_failed',
    fields: { errors: [{ pointer: '/password', message: TOO_COMMON }] }
  })
})

/** The unchanged service, with one other action that happens while it compares a password. */
function whileComparing(meanwhile: () => Promise<unknown>): typeof instance.runtime.host {
  const { host } = instance.runtime
  async function verify(value: string, stored: string) {
    const isRight = await host.secrets.verify(value, stored)
    await meanwhile()
    return isRight
  }
  return { ...host, secrets: { ...host.secrets, verify } }
}

describe('a password reset during the comparison of the old password', () => {
  const next = 'lamp orbit velvet nine'
  async function aReset(email: string) {
    await instance.anonymous().post('/api/v1/auth/password-reset', { email })
    const token = await mailedToken(instance, email)
    return async () =>
      expect((await instance.anonymous().post('/api/v1/auth/password-reset', { token, password: next })).status).toBe(204)
  }
  const client = { ip_key: '192.0.2.1' } as Client

  test('leaves no session to a person who signed in with the old one', async () => {
    const { id, email } = await aUser(instance)
    const host = whileComparing(await aReset(email))
    const sender = { client, cookies: {}, is_browser: false }
    await expect(signIn(host, { email, password: PASSWORD, ...sender })).rejects.toMatchObject({
      code: 'bad_credentials'
    })
    expect(await instance.sql`select from core_session where user_id = ${id}`).toHaveLength(0)
    await signedIn(instance, email, next)
  })

  test('is not undone by a change of the password', async () => {
    const { id, email } = await aUser(instance)
    const host = whileComparing(await aReset(email))
    const actor = { user_id: id, session: null } as CoreActor
    await expect(
      changePassword(host, { actor, current: PASSWORD, next: 'known to the thief' })
    ).rejects.toMatchObject({ code: 'wrong_password' })
    await signedIn(instance, email, next)
  })
})

test('a session that ended during the switch does not continue in another clinic', async () => {
  const { id, email } = await aUser(instance)
  await signedIn(instance, email)
  const [row] = await instance.sql`select token_hash, created_at from core_session where user_id = ${id}`
  await endSessionsOf(instance.runtime.host.db, { user_id: id })
  const actor = { user_id: id, via: 'cookie', session: { hash: row!.token_hash, since: row!.created_at } } as CoreActor
  const client = { ip: '127.0.0.1', ip_key: '127.0.0.1', user_agent: null }
  const wanted = { actor, client, clinic_id: instance.clinic.id }
  await expect(switchClinic(instance.runtime.host, wanted)).rejects.toMatchObject({ code: 'unauthorized' })
})

test('a shorter password from before the rule still signs in', async () => {
  const { id, email } = await aUser(instance)
  await instance.sql`update core_user set password_hash = ${await instance.runtime.host.secrets.hash('8 chars!')} where id = ${id}`
  await sealAgain(instance.sql, 'user')
  expect((await instance.anonymous().post(LOGIN, { email, password: '8 chars!' })).status).toBe(200)
})
