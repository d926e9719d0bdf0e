import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aUser, LOGIN, signedIn } from '../../support/accounts.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aSecurityKey } from '../../support/outside/authenticator.ts'
import { PASSWORD } from '../../support/people.ts'

const ENROL = '/api/v1/auth/passkeys'
const SIGN_IN = '/api/v1/auth/passkey'
/** The service's host name; the tests reach it by its IP address. */
const ORIGIN = 'http://clinic.test'
const AS_ITS_PAGE = { headers: { origin: ORIGIN } }

let instance: Instance
beforeAll(async () => {
  instance = await anInstance({ env: { SVC_BASE_URL: ORIGIN, SVC_HASH_COST: '' } })
})
afterAll(() => instance.close())

type Key = ReturnType<typeof aSecurityKey>
const post = (browser: Caller, path: string, body: unknown = {}) => browser.post(path, body, AS_ITS_PAGE)

async function signedInAsPage(email: string): Promise<Caller> {
  const { body } = await post(instance.anonymous(), LOGIN, { email, password: PASSWORD })
  return createCaller(instance.url, { bearer: body.data.access_token })
}
async function enrol(person: Caller, key: Key) {
  const { body } = await post(person, `${ENROL}/options`)
  return await post(person, ENROL, { response: key.enrol(body.data) })
}
async function aPasskeyUser() {
  const user = await aUser(instance)
  const [person, key] = [await signedInAsPage(user.email), aSecurityKey({ origin: ORIGIN })]
  const { status, body } = await enrol(person, key)
  expect(status).toBe(201)
  return { ...user, person, key, added: body.data }
}
const options = async (browser: Caller, ticket?: string) =>
  (await post(browser, `${SIGN_IN}/options`, ticket ? { ticket } : {})).body.data
const show = (browser: Caller, response: unknown, ticket?: string) =>
  post(browser, SIGN_IN, { response, ...ticket ? { ticket } : {} })
async function withTicket(email: string) {
  const browser = instance.anonymous()
  const { body } = await post(browser, LOGIN, { email, password: PASSWORD })
  expect(body.data.factor).toBe('passkey')
  return { browser, ticket: body.data.ticket as string }
}

describe('a passkey', () => {
  test('is added with ten recovery codes, and a second one without them', async () => {
    const { person, added } = await aPasskeyUser()
    expect(added).toMatchObject({ kind: 'passkey', recovery_codes: expect.any(Array) })
    expect(added.recovery_codes).toHaveLength(10)
    const { body } = await enrol(person, aSecurityKey({ origin: ORIGIN }))
    expect(body.data.recovery_codes).toBeNull()
  })

  test('signs in alone, to the account that it belongs to', async () => {
    const { key, email } = await aPasskeyUser()
    const browser = instance.anonymous()
    expect((await show(browser, key.sign(await options(browser)))).status).toBe(200)
    expect((await browser.get('/me')).body.data.user.email).toBe(email)
  })

  test('is the second factor after a password, and a recovery code can replace it', async () => {
    const { key, email, added } = await aPasskeyUser()
    const { browser, ticket } = await withTicket(email)
    const asked = await options(browser, ticket)
    expect(asked.allowCredentials).toHaveLength(1)
    expect((await show(browser, key.sign(asked), ticket)).status).toBe(200)
    const lost = await withTicket(email)
    const { status } = await post(lost.browser, '/api/v1/auth/factor', { ticket: lost.ticket, code: added.recovery_codes[0] })
    expect(status).toBe(200)
  })
})

/** Reasons of the person's failed sign-ins in the clinic's audit log. */
async function failuresOf({ email }: { email: string }): Promise<string[]> {
  await instance.runtime.host.audit.settled()
  const rows = await instance.sql`
    select detail ->> 'code' as code from core_audit
    where action = 'sign_in_failed' and actor_id = (select id::text from core_user where email = ${email})`
  return rows.map(({ code }) => code as string)
}

describe('a passkey does not sign in', () => {
  const refused = async (answer: ReturnType<typeof show>) =>
    expect({ ...(({ status, body }) => ({ status, code: body.code }))(await answer) }).toEqual({ status: 401, code: 'passkey_wrong' })

  test('when its signed response is sent again', async () => {
    const { key } = await aPasskeyUser()
    const browser = instance.anonymous()
    const signed = key.sign(await options(browser))
    expect((await show(browser, signed)).status).toBe(200)
    await refused(show(instance.anonymous(), signed))
  })

  test('when a page of another site relays our challenge', async () => {
    const { key, email } = await aPasskeyUser()
    key.state.origin = 'http://clinic.test.evil.example'
    const browser = instance.anonymous()
    await refused(show(browser, key.sign(await options(browser))))
    expect(await failuresOf({ email })).toEqual(['passkey_wrong'])
  })

  test('alone, when the authenticator has not verified its holder', async () => {
    const { key, email } = await aPasskeyUser()
    key.state.verified = false
    const browser = instance.anonymous()
    await refused(show(browser, key.sign(await options(browser))))
    const second = await withTicket(email)
    const signed = key.sign(await options(second.browser, second.ticket))
    expect((await show(second.browser, signed, second.ticket)).status).toBe(200)
  })

  test('with the challenge of a ticket, but without that ticket or with another one', async () => {
    const { key, email } = await aPasskeyUser()
    const [one, other] = [await withTicket(email), await withTicket(email)]
    await refused(show(one.browser, key.sign(await options(one.browser, one.ticket))))
    await refused(show(other.browser, key.sign(await options(one.browser, one.ticket)), other.ticket))
  })

  test('when it belongs to another person than the password', async () => {
    const [{ email }, thief] = [await aPasskeyUser(), await aPasskeyUser()]
    const { browser, ticket } = await withTicket(email)
    await refused(show(browser, thief.key.sign(await options(browser, ticket)), ticket))
  })

  test('when its counter decreased, as that of a copy does', async () => {
    const { key } = await aPasskeyUser()
    const browser = instance.anonymous()
    key.state.counter = 10
    expect((await show(browser, key.sign(await options(browser)))).status).toBe(200)
    key.state.counter = 5
    await refused(show(browser, key.sign(await options(browser))))
  })

  test('with a challenge that SQL inserted, or after the passkey was removed', async () => {
    const { key, person, added } = await aPasskeyUser()
    const browser = instance.anonymous()
    const { challenge } = await options(browser)
    await instance.sql`update core_sign_in_step set expires_at = expires_at + interval '1 hour'`
    await refused(show(browser, key.sign({ challenge })))
    await refused(show(browser, key.sign({ challenge: 'A'.repeat(43) })))
    await person.delete(`/api/v1/auth/factors/${added.id}`, { ...AS_ITS_PAGE, raw: JSON.stringify({ password: PASSWORD }) })
    await refused(show(browser, key.sign(await options(browser))))
  })
})

describe('a passkey is not added', () => {
  test('with a challenge of another session, a second time, or for another site', async () => {
    const { email } = await aUser(instance)
    const [one, other] = [await signedInAsPage(email), await signedInAsPage(email)]
    const key = aSecurityKey({ origin: ORIGIN })
    const { body } = await post(one, `${ENROL}/options`)
    expect((await post(other, ENROL, { response: key.enrol(body.data) })).body.code).toBe('passkey_refused')
    expect((await post(one, ENROL, { response: key.enrol(body.data) })).body.code).toBe('passkey_refused')
    expect((await enrol(one, aSecurityKey({ origin: 'http://elsewhere.test' }))).body.code).toBe('passkey_refused')
    expect((await enrol(one, key)).status).toBe(201)
    expect((await enrol(one, key)).body.code).toBe('passkey_refused')
  })

  test('when the service is reached by an IP address', async () => {
    const plain = await anInstance()
    const person = await signedIn(plain, (await aUser(plain)).email)
    expect((await person.post(`${ENROL}/options`)).body.code).toBe('passkeys_unavailable')
    await plain.close()
  })
})
