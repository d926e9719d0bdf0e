import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anAuthenticator, aUser, expireConfirmations, LOGIN } from '../../support/accounts.ts'
import { createCaller, type Answer, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aSecurityKey } from '../../support/outside/authenticator.ts'
import { PASSWORD } from '../../support/people.ts'

const FACTORS = '/api/v1/auth/factors'
const PASSKEYS = '/api/v1/auth/passkeys'
const CONFIRM = '/api/v1/auth/confirm'
/** Passkeys need a host name; the tests reach the service by its IP address. */
const ORIGIN = 'http://clinic.test'
const AS_ITS_PAGE = { headers: { origin: ORIGIN } }

let instance: Instance
beforeAll(async () => {
  instance = await anInstance({ env: { SVC_BASE_URL: ORIGIN, SVC_HASH_COST: '' } })
})
afterAll(() => instance.close())

const post = (person: Caller, path: string, body: unknown = {}) => person.post(path, body, AS_ITS_PAGE)
const remove = (person: Caller, id: string, body: unknown = {}) =>
  person.delete(`${FACTORS}/${id}`, { ...AS_ITS_PAGE, raw: JSON.stringify(body) })
const said = ({ status, body }: Answer) => ({ status, code: body?.code, needs: body?.needs, factors: body?.factors })
const needs = (...needed: string[]) => expect.objectContaining({ status: 403, code: 'confirmation_required', needs: needed })

async function signedIn(email: string): Promise<Caller> {
  const { body } = await post(instance.anonymous(), LOGIN, { email, password: PASSWORD })
  return createCaller(instance.url, { bearer: body.data.access_token })
}
/** A session as in a browser that someone left open an hour ago. */
async function leftOpen() {
  const user = await aUser(instance)
  const person = asPage(await signedIn(user.email))
  await expireConfirmations(instance, user.id)
  return { ...user, person }
}
/** The same for an account with an authenticator app. */
async function leftOpenWithApp() {
  const user = await aUser(instance)
  const person = asPage(await signedIn(user.email))
  const { app, recovery_codes } = await anAuthenticator(person)
  await expireConfirmations(instance, user.id)
  return { ...user, person, app, recovery_codes }
}
const asPage = (person: Caller): Caller => ({ ...person, post: (path, body) => person.post(path, body, AS_ITS_PAGE) })

describe('an intruder with one open session', () => {
  test('adds neither a passkey nor an authenticator app, and gets no recovery codes', async () => {
    const { person } = await leftOpen()
    for (const path of [`${FACTORS}/totp`, `${PASSKEYS}/options`])
      expect(said(await person.post(path))).toEqual(needs('password'))
    expect((await person.get(FACTORS)).body).toEqual({ data: [], recovery_codes_left: 0 })
  })

  test('must also show the account\'s factor, if it has one, for any change of the factors', async () => {
    const { person } = await leftOpenWithApp()
    const [{ id }] = (await person.get(FACTORS)).body.data
    const tries = [
      await person.post(`${PASSKEYS}/options`),
      await remove(person, id),
      await person.post(`${FACTORS}/recovery-codes`, {}),
      await person.post(`${FACTORS}/${id}/keep`)
    ]
    for (const answer of tries) expect(said(answer)).toEqual(needs('password', 'factor'))
    expect(said(tries[0]!).factors).toEqual(['totp'])
  })

  test('gets no further on an account with a factor by knowing the password too', async () => {
    const { person } = await leftOpenWithApp()
    const [{ id }] = (await person.get(FACTORS)).body.data
    expect((await person.post(CONFIRM, { password: PASSWORD })).status).toBe(200)
    expect(said(await person.post(`${PASSKEYS}/options`))).toEqual(needs('factor'))
    expect(said(await remove(person, id, { password: PASSWORD }))).toEqual(needs('factor'))
    expect(said(await person.post(`${FACTORS}/recovery-codes`, { password: PASSWORD }))).toEqual(needs('factor'))
  })

  test('can try no codes without the password, and uses up none of the owner\'s attempts', async () => {
    const { person, app } = await leftOpenWithApp()
    for (let n = 0; n < 4; n++) expect(said(await person.post(CONFIRM, { code: '000000' }))).toEqual(needs('password'))
    expect((await person.post(CONFIRM, { password: PASSWORD, code: await app.next() })).status).toBe(200)
  })

  test('can guess the password five times a minute, and each guess is in the audit log', async () => {
    const { id, person } = await leftOpen()
    for (let n = 0; n < 5; n++)
      expect((await person.post(CONFIRM, { password: `wrong ${n}` })).body.code).toBe('wrong_password')
    expect((await person.post(CONFIRM, { password: PASSWORD })).status).toBe(429)
    await instance.runtime.host.audit.settled()
    const rows = await instance.sql`select detail from core_audit where action = 'sign_in_failed' and actor_id = ${id}`
    expect(rows).toHaveLength(5)
  })

  test('cannot finish what the owner began, because the last step asks for confirmation again', async () => {
    const { id, person } = await leftOpen()
    await person.post(CONFIRM, { password: PASSWORD })
    const key = aSecurityKey({ origin: ORIGIN })
    const { body } = await person.post(`${PASSKEYS}/options`)
    await expireConfirmations(instance, id)
    expect(said(await person.post(PASSKEYS, { response: key.enrol(body.data) }))).toEqual(needs('password'))
    await person.post(CONFIRM, { password: PASSWORD })
    const begun = (await person.post(`${FACTORS}/totp`)).body.data
    await expireConfirmations(instance, id)
    expect(begun.secret).toBeTruthy()
    expect(said(await person.post(`${FACTORS}/totp/confirm`, { code: '000000' }))).toEqual(needs('password'))
  })

  test('is signed out when the owner adds a factor, even while adding one', async () => {
    const { email, person } = await leftOpen()
    const owner = asPage(await signedIn(email))
    await person.post(CONFIRM, { password: PASSWORD })
    const { body } = await person.post(`${PASSKEYS}/options`)
    const key = aSecurityKey({ origin: ORIGIN })
    const [, theirs] = await Promise.all([
      anAuthenticator(owner),
      person.post(PASSKEYS, { response: key.enrol(body.data) })
    ].map(work => work.catch((error: Error) => error)))
    const kinds = (await Promise.all([owner, person].map(one => one.get(FACTORS))))
      .filter(({ status }) => status === 200).map(({ body: listed }) => listed.data.length)
    // The first of the two signs the other one out, so they never both get in.
    expect(kinds).toEqual([1])
    expect(theirs).toBeDefined()
  })

  test('gets one set of recovery codes, even if many factors are added at once', async () => {
    const { person } = await leftOpen()
    await person.post(CONFIRM, { password: PASSWORD })
    const keys = []
    for (let n = 0; n < 8; n++) {
      const key = aSecurityKey({ origin: ORIGIN })
      keys.push(key.enrol((await person.post(`${PASSKEYS}/options`)).body.data))
    }
    const answers = await Promise.all(keys.map(response => person.post(PASSKEYS, { response })))
    expect(answers.filter(({ body }) => body.data?.recovery_codes)).toHaveLength(1)
  })

  test('gains no confirmation by write access to the database', async () => {
    const { id, person } = await leftOpen()
    await instance.sql`update core_session set confirmed_at = now(), confirmed_by = 'password' where user_id = ${id}`
    expect((await person.post(`${FACTORS}/totp`)).status).toBe(401)
  })
})

describe('confirming one\'s identity', () => {
  test('with the password lasts five minutes, for this session only', async () => {
    const { id, email, person } = await leftOpen()
    const other = asPage(await signedIn(email))
    await expireConfirmations(instance, id)
    const { status, body } = await person.post(CONFIRM, { password: PASSWORD })
    expect(status).toBe(200)
    const minutes = (Date.parse(body.data.confirmed_until) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(4)
    expect(minutes).toBeLessThanOrEqual(5.1)
    expect((await person.post(`${FACTORS}/totp`)).status).toBe(200)
    expect(said(await other.post(`${FACTORS}/totp`))).toEqual(needs('password'))
    await expireConfirmations(instance, id)
    expect(said(await person.post(`${FACTORS}/totp`))).toEqual(needs('password'))
  })

  test('with a code that was used before is refused; a recovery code works once', async () => {
    const { id, person, app, recovery_codes } = await leftOpenWithApp()
    const code = await app.next()
    expect((await person.post(CONFIRM, { password: PASSWORD, code })).status).toBe(200)
    await expireConfirmations(instance, id)
    const again = await person.post(CONFIRM, { password: PASSWORD, code })
    expect({ status: again.status, code: again.body.code }).toEqual({ status: 403, code: 'wrong_code' })
    expect(said(await person.post(`${PASSKEYS}/options`))).toEqual(needs('password', 'factor'))
    expect((await person.post(CONFIRM, { password: PASSWORD, code: recovery_codes[0] })).status).toBe(200)
    expect((await person.post(`${PASSKEYS}/options`)).status).toBe(200)
  })

  test('with a passkey takes a challenge of this session, and works once', async () => {
    const user = await aUser(instance)
    const person = asPage(await signedIn(user.email))
    const key = aSecurityKey({ origin: ORIGIN })
    await person.post(PASSKEYS, { response: key.enrol((await person.post(`${PASSKEYS}/options`)).body.data) })
    await expireConfirmations(instance, user.id)
    const options = (await person.post(`${CONFIRM}/options`)).body.data
    expect(options.allowCredentials).toHaveLength(1)
    const passkey = key.sign(options)
    expect((await person.post(CONFIRM, { password: PASSWORD, passkey })).status).toBe(200)
    expect((await person.post(`${FACTORS}/totp`)).status).toBe(200)
    const replayed = await person.post(CONFIRM, { password: PASSWORD, passkey })
    expect({ status: replayed.status, code: replayed.body.code }).toEqual({ status: 403, code: 'wrong_passkey' })
    // A signature made for signing in does not confirm anything.
    const forSignIn = (await post(instance.anonymous(), '/api/v1/auth/passkey/options')).body.data
    const other = await person.post(CONFIRM, { password: PASSWORD, passkey: key.sign(forSignIn) })
    expect(other.body.code).toBe('wrong_passkey')
  })

  test('is already done after signing in with all factors', async () => {
    const { email } = await aUser(instance)
    const person = asPage(await signedIn(email))
    expect((await person.post(`${FACTORS}/totp`)).status).toBe(200)
  })

  test('with a passkey alone is not enough for an account with a password', async () => {
    const user = await aUser(instance)
    const person = asPage(await signedIn(user.email))
    const key = aSecurityKey({ origin: ORIGIN })
    await person.post(PASSKEYS, { response: key.enrol((await person.post(`${PASSKEYS}/options`)).body.data) })
    const options = (await post(instance.anonymous(), '/api/v1/auth/passkey/options')).body.data
    const { body } = await post(instance.anonymous(), '/api/v1/auth/passkey', { response: key.sign(options) })
    const alone = asPage(createCaller(instance.url, { bearer: body.data.access_token }))
    expect(said(await alone.post(`${FACTORS}/totp`))).toEqual(needs('password'))
  })

  test('moves with the session to another clinic', async () => {
    const user = await aUser(instance)
    const person = asPage(await signedIn(user.email))
    const clinic = (await person.get('/me')).body.data.clinic.id
    await person.post('/api/v1/auth/switch-clinic', { clinic_id: clinic })
    expect((await person.post(`${FACTORS}/totp`)).status).toBe(200)
  })

  test('needs exactly one of a code and a passkey beside the password', async () => {
    const { person } = await leftOpen()
    for (const body of [{}, { code: '123456', passkey: aSecurityKey({ origin: ORIGIN }).sign({ challenge: 'x' }) }])
      expect((await person.post(CONFIRM, body)).status).toBe(422)
  })
})

test('new recovery codes leave a row in the audit log', async () => {
  const { id, person, app } = await leftOpenWithApp()
  await person.post(CONFIRM, { password: PASSWORD, code: await app.next() })
  expect((await person.post(`${FACTORS}/recovery-codes`, {})).status).toBe(200)
  const rows = await instance.sql`select action, detail from core_audit where target_id = ${id} order by seq desc limit 1`
  expect(rows).toEqual([{ action: 'factor_added', detail: { factor: 'recovery_codes' } }])
})
