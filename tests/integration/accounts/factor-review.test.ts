import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockUsableUser } from '../../../server/core/people/accounts/write-user.ts'
import { addFactor, insertFactor } from '../../../server/core/people/factors/factors.ts'
import { setPassword } from '../../../server/core/people/passwords/set-password.ts'
import { anAuthenticator, aUser, expireConfirmations, LOGIN, mailedToken, mailedTokens } from '../../support/accounts.ts'
import { eventually } from '../../support/builders.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aSecurityKey } from '../../support/outside/authenticator.ts'
import { PASSWORD } from '../../support/people.ts'

const FACTORS = '/api/v1/auth/factors'
const PASSKEYS = '/api/v1/auth/passkeys'
const RESET = '/api/v1/auth/password-reset'
const REMOVAL = '/api/v1/auth/factors/removal'
const NEW_PASSWORD = 'quite another password, long'
const ORIGIN = 'http://clinic.test'
const AS_ITS_PAGE = { headers: { origin: ORIGIN } }

let instance: Instance
beforeAll(async () => {
  instance = await anInstance({ env: { SVC_BASE_URL: ORIGIN, SVC_HASH_COST: '' } })
})
afterAll(() => instance.close())

const asPage = (person: Caller): Caller => ({
  ...person,
  post: (path, body) => person.post(path, body ?? {}, AS_ITS_PAGE),
  delete: (path, options) => person.delete(path, { ...AS_ITS_PAGE, ...options })
})
async function signedIn(email: string, password = PASSWORD) {
  const { body } = await asPage(instance.anonymous()).post(LOGIN, { email, password })
  return asPage(createCaller(instance.url, { bearer: body.data.access_token }))
}
async function addPasskey(person: Caller) {
  const key = aSecurityKey({ origin: ORIGIN })
  const { body } = await person.post(PASSKEYS, { response: key.enrol((await person.post(`${PASSKEYS}/options`)).body.data) })
  return { key, added: body.data as { id: string, recovery_codes: string[] | null } }
}
async function signInAlone(key: ReturnType<typeof aSecurityKey>) {
  const stranger = asPage(instance.anonymous())
  const { body } = await stranger.post('/api/v1/auth/passkey/options')
  return await stranger.post('/api/v1/auth/passkey', { response: key.sign(body.data) })
}
async function withCode(email: string, password: string, code: string) {
  const stranger = asPage(instance.anonymous())
  const { ticket } = (await stranger.post(LOGIN, { email, password })).body.data
  const answer = await stranger.post('/api/v1/auth/factor', { ticket, code })
  return { answer, person: asPage(createCaller(instance.url, { bearer: answer.body.data?.access_token ?? 'none' })) }
}
const remove = (person: Caller, id: string, body: unknown = {}) =>
  person.delete(`${FACTORS}/${id}`, { raw: JSON.stringify(body) })

/** The owner has an app; an intruder, who knew the password then, has added a passkey. */
async function aShadowedAccount() {
  const user = await aUser(instance)
  const owner = await signedIn(user.email)
  const { app, recovery_codes } = await anAuthenticator(owner)
  const intruders = await addPasskey(owner)
  return { ...user, owner, app, recovery_codes, intruders }
}
/** The owner has no factor: the only passkey is the intruder's. */
async function aTakenAccount() {
  const user = await aUser(instance)
  return { ...user, ...await addPasskey(await signedIn(user.email)) }
}
async function tokenOfReset(email: string) {
  await asPage(instance.anonymous()).post(RESET, { email })
  return await mailedToken(instance, email, '/password-reset')
}
const resetWith = (token: string, more: object = {}) =>
  asPage(instance.anonymous()).post(RESET, { token, password: NEW_PASSWORD, ...more })
const resetByMail = async (email: string, more: object = {}) => await resetWith(await tokenOfReset(email), more)

describe('after the password changed', () => {
  test('only the page about the factors opens, until each factor is confirmed or removed', async () => {
    const { owner, intruders } = await aShadowedAccount()
    expect((await owner.post('/api/v1/auth/password', { current: PASSWORD, new: NEW_PASSWORD })).status).toBe(204)
    const refused = await owner.get('/api/v1/budget/budgets')
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'factor_review_required' })
    expect((await owner.get('/api/v1/auth/screen')).body.data.factor_review).toBe(true)
    const listed = (await owner.get(FACTORS)).body.data
    expect(listed).toMatchObject([
      { kind: 'totp', to_review: true, created_at: expect.any(String) }, { kind: 'passkey', to_review: true }
    ])
    const app = listed[0].id
    expect((await owner.post(`${FACTORS}/${app}/keep`)).status).toBe(204)
    expect((await owner.get('/api/v1/budget/budgets')).status).toBe(403)
    expect((await remove(owner, intruders.added.id)).status).toBe(204)
    expect((await owner.get('/api/v1/budget/budgets')).status).toBe(200)
    expect((await owner.get('/api/v1/auth/screen')).body.data.factor_review).toBe(false)
    // The person who added the removed factor may have seen the recovery codes.
    expect((await owner.get(FACTORS)).body.recovery_codes_left).toBe(0)
    expect((await signInAlone(intruders.key)).body.code).toBe('passkey_wrong')
  })

  test('a passkey that its holder has not confirmed cannot sign in alone', async () => {
    const { owner, intruders: { key, added } } = await aShadowedAccount()
    await owner.post('/api/v1/auth/password', { current: PASSWORD, new: NEW_PASSWORD })
    const answer = await signInAlone(key)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 401, code: 'passkey_to_review' })
    await owner.post(`${FACTORS}/${added.id}/keep`)
    expect((await signInAlone(key)).status).toBe(200)
  })

  test('the same is true when the operator sets the password', async () => {
    const { email, app } = await aShadowedAccount()
    await setPassword(instance.runtime.host, { email, password: NEW_PASSWORD })
    const { person } = await withCode(email, NEW_PASSWORD, await app.next())
    expect((await person.get('/api/v1/budget/budgets')).body.code).toBe('factor_review_required')
  })

  test('a person who knows the password but shows no factor can neither confirm nor remove any', async () => {
    const { id, owner, intruders } = await aShadowedAccount()
    await expireConfirmations(instance, id)
    await owner.post('/api/v1/auth/password', { current: PASSWORD, new: NEW_PASSWORD })
    for (const answer of [await owner.post(`${FACTORS}/${intruders.added.id}/keep`), await remove(owner, intruders.added.id)])
      expect(answer.body).toMatchObject({ code: 'confirmation_required', needs: ['factor'] })
  })

  test('an account without a factor continues at once', async () => {
    const { email } = await aUser(instance)
    const person = await signedIn(email)
    await person.post('/api/v1/auth/password', { current: PASSWORD, new: NEW_PASSWORD })
    expect((await person.get('/api/v1/budget/budgets')).status).toBe(200)
  })

  test('SQL does not end the review: the account becomes invalid', async () => {
    const { id, owner } = await aShadowedAccount()
    await owner.post('/api/v1/auth/password', { current: PASSWORD, new: NEW_PASSWORD })
    await instance.sql`update core_user set factors_to_review = null where id = ${id}`
    expect((await owner.get('/api/v1/me')).status).toBe(401)
  })
})

describe('a reset by mail', () => {
  test('that removes all factors also ends the sessions of a person who had added the only one', async () => {
    const { id, email, key, added } = await aTakenAccount()
    expect((await resetByMail(email, { remove_factors: true })).status).toBe(204)
    expect((await signInAlone(key)).body.code).toBe('passkey_wrong')
    const owner = await signedIn(email, NEW_PASSWORD)
    expect((await owner.get('/api/v1/budget/budgets')).status).toBe(200)
    expect((await owner.get(FACTORS)).body).toEqual({ data: [], recovery_codes_left: 0 })
    const rows = await instance.sql`select action, detail from core_audit where target_id = ${id} order by seq`
    expect(rows.map(({ action, detail }) => ({ action, detail }))).toContainEqual({ action: 'factor_removed', detail: { factor: 'all' } })
    expect(added.recovery_codes).toHaveLength(10)
  })

  test('removes a factor too that is added while the new password is hashed', async () => {
    const { id, email } = await aUser(instance)
    const { db, secrets } = instance.runtime.host
    const token = await tokenOfReset(email)
    const { reset } = await db.transaction(async (tx) => {
      const user = (await lockUsableUser(tx, secrets, id))!
      const reset = resetWith(token, { remove_factors: true })
      await eventually(async () => {
        const [row] = await instance.sql`select count(*)::int as waiting from pg_locks where not granted`
        return row!.waiting > 0
      }, 'the reset waits for the account')
      const factor = await insertFactor({ db: tx, secrets }, { user_id: id, kind: 'totp', name: 'Late', secret: 'x' })
      await addFactor({ tx, secrets }, user, factor.id)
      return { reset }
    })
    expect((await reset).status).toBe(204)
    const owner = await signedIn(email, NEW_PASSWORD)
    expect((await owner.get(FACTORS)).body.data).toEqual([])
    expect(await instance.sql`select id from core_factor where user_id = ${id}`).toEqual([])
  })

  test('that keeps the factors leaves them to be confirmed', async () => {
    const { email, app } = await aShadowedAccount()
    expect((await resetByMail(email)).status).toBe(204)
    const { answer, person } = await withCode(email, NEW_PASSWORD, await app.next())
    expect(answer.status).toBe(200)
    expect((await person.get('/api/v1/budget/budgets')).body.code).toBe('factor_review_required')
  })

  test('leaves the intruder no way in, neither with the passkey alone nor with the former password', async () => {
    const { email, key } = await aTakenAccount()
    await resetByMail(email)
    expect((await signInAlone(key)).body.code).toBe('passkey_to_review')
    expect((await asPage(instance.anonymous()).post(LOGIN, { email, password: PASSWORD })).body.code).toBe('bad_credentials')
  })
})

describe('the link in the mail about a new factor', () => {
  const ask = (token: string, more: object = {}) => asPage(instance.anonymous()).post(REMOVAL, { token, ...more })

  const removalToken = (email: string, kind: string) =>
    eventually(async () => {
      for (const token of await mailedTokens(instance, email, '/factor-removal'))
        if ((await ask(token)).body.data?.kind === kind) return token
    }, `a mail about a ${kind}`)

  test('shows the factor without changing anything, then removes it once and ends all sessions', async () => {
    const { email, owner, app, intruders } = await aShadowedAccount()
    const token = await removalToken(email, 'passkey')
    const { access_token } = (await signInAlone(intruders.key)).body.data
    const thief = asPage(createCaller(instance.url, { bearer: access_token }))
    for (let n = 0; n < 2; n++) expect((await ask(token)).body.data).toMatchObject({ kind: 'passkey' })
    expect((await thief.get('/me')).status).toBe(200)

    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(token, { remove: true })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    for (const one of [thief, owner]) expect((await one.get('/me')).status).toBe(401)
    expect((await signInAlone(intruders.key)).body.code).toBe('passkey_wrong')
    // The remaining factors may be the intruder's too.
    const { person } = await withCode(email, PASSWORD, await app.next())
    expect((await person.get(FACTORS)).body).toMatchObject({ data: [{ kind: 'totp', to_review: true }], recovery_codes_left: 0 })
    expect((await ask(token)).body.code).toBe('mailed_token_not_found')
    // The person who added it knew the password.
    const reset = await mailedToken(instance, email, '/password-reset')
    expect((await asPage(instance.anonymous()).post(RESET, { token: reset, password: NEW_PASSWORD })).status).toBe(204)
    const old = await asPage(instance.anonymous()).post(LOGIN, { email, password: PASSWORD })
    expect(old.body.code).toBe('bad_credentials')
  })

  test('expires after a week, and opens nothing else', async () => {
    const { id, email } = await aTakenAccount()
    const token = await removalToken(email, 'passkey')
    const reset = await asPage(instance.anonymous()).post(RESET, { token, password: NEW_PASSWORD })
    expect(reset.body.code).toBe('mailed_token_not_found')
    await instance.sql`update core_mailed_token set expires_at = now() where user_id = ${id}`
    expect((await ask(token, { remove: true })).body.code).toBe('mailed_token_not_found')
  })

  test('removes only the factor that it was sent for, even if SQL names another one', async () => {
    const { id, email, intruders } = await aShadowedAccount()
    const token = await removalToken(email, 'passkey')
    await instance.sql`
      update core_mailed_token set factor_id = (select id from core_factor where user_id = ${id} and kind = 'totp')
      where user_id = ${id} and purpose = 'factor_removal' and factor_id = ${intruders.added.id}`
    expect((await ask(token)).body.code).toBe('mailed_token_not_found')
  })
})
