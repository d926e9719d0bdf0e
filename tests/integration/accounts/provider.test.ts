import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import { deactivateAccount } from '../../../server/core/people/accounts/deactivate-account.ts'
import { anAuthenticator, aUser, LOGIN, signedIn } from '../../support/accounts.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { anIdentityProvider, type IdentityProvider } from '../../support/outside/identity-provider.ts'
import { PASSWORD } from '../../support/people.ts'

const START = '/api/v1/auth/oidc'
const AS_PAGE = { headers: { accept: 'text/html' } }

let instance: Instance
let provider: IdentityProvider
beforeAll(async () => {
  provider = await anIdentityProvider()
  instance = await anInstance({ env: provider.env })
  provider.register(instance.url)
})
afterAll(async () => {
  await instance.close()
  await provider.close()
})

/** The address that the browser is redirected to. */
async function started(browser: Caller, to = ''): Promise<string> {
  const { status, headers } = await browser.get(`${START}${to && `?to=${encodeURIComponent(to)}`}`)
  expect(status).toBe(303)
  return headers.get('location')!
}
/** The callback URL of the test's instance. */
const returned = async (location: string) => (await provider.walk(location)).slice(instance.url.length)

async function signedInByProvider(email: string, browser = instance.anonymous()) {
  provider.person = { email, email_verified: true }
  const answer = await browser.get(await returned(await started(browser)))
  return { browser, answer }
}

describe('signing in through a provider', () => {
  test('opens the account of the confirmed address, without a password, and continues to the requested page', async () => {
    const { email } = await aUser(instance)
    const browser = instance.anonymous()
    provider.person = { email: email.toUpperCase(), email_verified: true }
    const answer = await browser.get(await returned(await started(browser, '/budgets')))
    expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({ status: 303, to: '/login?to=%2Fbudgets' })
    expect((await browser.get('/me')).body.data.user.email).toBe(email)
  })

  test('uses PKCE, state and nonce', async () => {
    const { searchParams } = new URL(await started(instance.anonymous()))
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    for (const name of ['code_challenge', 'state', 'nonce']) expect(searchParams.get(name)!.length).toBeGreaterThan(40)
  })

  test('counts as the second factor, which is then not requested again and satisfies a clinic that demands it', async () => {
    const user = await aUser(instance, { role: 'admin' })
    await anAuthenticator(await signedIn(instance, user.email))
    const { browser } = await signedInByProvider(user.email)
    expect((await browser.get('/me')).status).toBe(200)

    const other = await aUser(instance)
    await instance.sql`update core_clinic set second_factor = 'all', second_factor_since = now() - interval '1 year' where id = ${instance.clinic.id}`
    await instance.sql`update core_membership set consented_at = now() - interval '1 year' where user_id = ${other.id}`
    expect((await (await signedInByProvider(other.email)).browser.get('/api/v1/budget/budgets')).status).toBe(200)
    expect((await (await signedIn(instance, other.email)).get('/api/v1/budget/budgets')).status).toBe(403)
    await instance.sql`update core_clinic set second_factor = 'none'`
  })

  test('creates no account for an unknown address', async () => {
    const email = `nobody-${randomBytes(4).toString('hex')}@clinic.test`
    const { browser, answer } = await signedInByProvider(email)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 403, code: 'provider_account_unknown' })
    expect((await browser.get('/me')).status).toBe(401)
    expect(await instance.sql`select from core_user where email = ${email}`).toHaveLength(0)
  })

  test('to a deactivated account leaves a row in the logs of its clinics', async () => {
    const { id, email } = await aUser(instance)
    await deactivateAccount(instance.runtime.host, email)
    const { answer } = await signedInByProvider(email)
    expect(answer.body.code).toBe('provider_account_unknown')
    expect((await instance.anonymous().post(LOGIN, { email, password: PASSWORD })).status).toBe(401)
    await instance.runtime.host.audit.settled()
    const rows = await instance.sql`
      select clinic_id, detail from core_audit where action = 'sign_in_failed' and actor_id = ${id} order by seq`
    expect(rows).toEqual([
      { clinic_id: instance.clinic.id, detail: { code: 'provider_account_unknown' } }, { clinic_id: instance.clinic.id, detail: {} }
    ])
  })

  test.each([[{ email_verified: false }], [{}]])('opens no account for an address that the provider has not confirmed: %j', async (claims) => {
    const { email } = await aUser(instance)
    const browser = instance.anonymous()
    provider.person = { email, ...claims }
    const { body } = await browser.get(await returned(await started(browser)))
    expect(body.code).toBe('provider_account_unknown')
    expect((await browser.get('/me')).status).toBe(401)
  })

  test('removes a password that a clinic chose before anyone had proved the address', async () => {
    const email = `typed-${randomBytes(4).toString('hex')}@clinic.test`
    await createUser(
      instance.runtime.host,
      { email, first_name: 'Rosa', last_name: 'Gil', clinic_id: instance.clinic.id, role: 'dentist', password: PASSWORD },
      { by: 'clinic' }
    )
    const clinics = await signedIn(instance, email)
    expect((await (await signedInByProvider(email)).browser.get('/me')).status).toBe(200)
    expect((await clinics.get('/me')).status).toBe(401)
    expect((await instance.anonymous().post(LOGIN, { email, password: PASSWORD })).status).toBe(401)
  })
})

describe('a sign-in is refused', () => {
  const refused = async (browser: Caller, path: string) => {
    const { status, body } = await browser.get(path)
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'provider_refused' })
    expect((await browser.get('/me')).status).toBe(401)
  }
  const aPerson = async () => { provider.person = { email: (await aUser(instance)).email, email_verified: true } }

  test('with a forged state', async () => {
    await aPerson()
    const browser = instance.anonymous()
    const path = await returned(await started(browser))
    await refused(browser, path.replace(/state=[\w-]+/, `state=${randomBytes(32).toString('base64url')}`))
  })

  test('with the state of another browser', async () => {
    await aPerson()
    const [victim, thief] = [instance.anonymous(), instance.anonymous()]
    await started(victim)
    await refused(victim, await returned(await started(thief)))
  })

  test('with a forged nonce', async () => {
    await aPerson()
    const browser = instance.anonymous()
    const location = new URL(await started(browser))
    location.searchParams.set('nonce', randomBytes(32).toString('base64url'))
    await refused(browser, await returned(location.href))
  })

  test('with a callback that was used before, even with all cookies from that time', async () => {
    await aPerson()
    const browser = instance.anonymous()
    const path = await returned(await started(browser))
    const cookies = new Map(browser.cookies)
    expect((await browser.get(path)).status).toBe(303)
    const thief = instance.anonymous()
    for (const [name, cookie] of cookies) thief.cookies.set(name, cookie)
    await refused(thief, path)
  })

  test('without a code, or after declining at the provider', async () => {
    const browser = instance.anonymous()
    const state = new URL(await started(browser)).searchParams.get('state')
    await refused(browser, `${START}/callback?error=access_denied&state=${state}`)
    await refused(browser, `${START}/callback`)
  })

  test('with the reason on the sign-in page if the person uses a browser', async () => {
    const { status, headers } = await instance.anonymous().get(`${START}/callback`, AS_PAGE)
    expect({ status, to: headers.get('location') }).toEqual({ status: 303, to: '/login?problem=provider_refused' })
  })
})

describe('an invalid ID token', () => {
  const FORGED = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  /** The provider's own claims, with another address. */
  const claimsOf = (token: string, email: string) =>
    ({ ...JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()), email, email_verified: true })
  const forgeries: [string, (token: string, email: string) => string][] = [
    ['signed with a key that is not the provider\'s', (token, email) => {
      const text = `${token.split('.')[0]}.${part(claimsOf(token, email))}`
      return `${text}.${sign('sha256', Buffer.from(text), FORGED).toString('base64url')}`
    }],
    ['with a signature of other claims', (token, email) => {
      const [header, , signature] = token.split('.')
      return `${header}.${part(claimsOf(token, email))}.${signature}`
    }],
    ['without a signature (alg none)', (token, email) => `${part({ alg: 'none' })}.${part(claimsOf(token, email))}.`],
    ['signed with the shared secret of the client (HS256)', (token, email) => {
      const text = `${part({ alg: 'HS256' })}.${part(claimsOf(token, email))}`
      return `${text}.${createHmac('sha256', provider.env.SVC_OIDC_CLIENT_SECRET!).update(text).digest('base64url')}`
    }]
  ]

  test.each(forgeries)('opens no account: %s', async (_name, forge) => {
    const [{ email }, victim] = [await aUser(instance), await aUser(instance)]
    provider.forge = token => forge(token, victim.email)
    const { browser, answer } = await signedInByProvider(email)
    provider.forge = null
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 403, code: 'provider_refused' })
    expect((await browser.get('/me')).status).toBe(401)
  })
})

describe('a person without a password can confirm their identity through the provider', () => {
  const begin = async (browser: Caller) => {
    const { status, body } = await browser.post('/api/v1/auth/factors/totp')
    return { status, needs: body.needs }
  }
  async function aPersonOfTheProvider() {
    const email = `provided-${randomBytes(4).toString('hex')}@clinic.test`
    const names = { first_name: 'Rosa', last_name: 'Gil' }
    await createUser(instance.runtime.host, { email, ...names, clinic_id: instance.clinic.id, role: 'dentist' }, { by: 'operator' })
    return email
  }

  test('by signing in there again; an ordinary sign-in, where the provider may not have asked for anything, is not enough', async () => {
    const email = await aPersonOfTheProvider()
    const { browser } = await signedInByProvider(email)
    expect(await begin(browser)).toEqual({ status: 403, needs: ['provider'] })
    const again = (await browser.get(`${START}?confirm=true&to=/account`)).headers.get('location')!
    expect(Object.fromEntries(new URL(again).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
    expect((await browser.get(await returned(again))).status).toBe(303)
    expect((await begin(browser)).status).toBe(200)
  })

  test('but not by an earlier sign-in whose request was changed on the way', async () => {
    const email = await aPersonOfTheProvider()
    const { browser } = await signedInByProvider(email)
    const again = new URL((await browser.get(`${START}?confirm=true`)).headers.get('location')!)
    again.searchParams.delete('prompt')
    again.searchParams.delete('max_age')
    // Without max_age the provider does not return when the person signed in.
    const { status, body } = await browser.get(await returned(again.href))
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'provider_refused' })
    expect(await begin(browser)).toEqual({ status: 403, needs: ['provider'] })
  })
})

describe('a provider on this machine', () => {
  test('must not redirect to another machine over plain http', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: 'http://192.0.2.1/token' }))
    })
    const issuer = await listen(server)
    const other = await anInstance({ env: { ...provider.env, SVC_OIDC_ISSUER: issuer } })
    const { status, body } = await other.anonymous().get(START)
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'provider_unreachable' })
    await other.close()
    await new Promise(resolve => server.close(resolve))
  })
})

describe('the operator', () => {
  test('can offer the provider beside passwords, or alone', async () => {
    expect((await instance.anonymous().get('/api/v1/auth/ways')).body.data).toEqual({
      password: true, passkey: false, provider: { label: 'Clinic login' }
    })
    const only = await anInstance({ env: { ...provider.env, SVC_OIDC_ONLY: '1' } })
    const { email } = await aUser(only)
    const { status, body } = await only.anonymous().post(LOGIN, { email, password: PASSWORD })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'password_sign_in_off' })
    expect((await only.anonymous().get('/api/v1/auth/ways')).body.data).toMatchObject({ password: false, passkey: false })
    await only.close()
  })

  test('has no sign-in endpoint for a provider when none is configured', async () => {
    const plain = await anInstance()
    expect((await plain.anonymous().get(START)).status).toBe(404)
    expect((await plain.anonymous().get('/api/v1/auth/ways')).body.data.provider).toBeNull()
    await plain.close()
  })

  test('can start the service while the provider is down; people see a message, and sign-in works once it is back', async () => {
    const server = createServer((_request, response) => response.writeHead(503).end())
    const issuer = await listen(server)
    const down = await anInstance({ env: { ...provider.env, SVC_OIDC_ISSUER: issuer } })
    const { status, body } = await down.anonymous().get(START)
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'provider_unreachable' })
    expect((await down.anonymous().get(START, AS_PAGE)).headers.get('location')).toBe('/login?problem=provider_unreachable')
    await signedIn(down, (await aUser(down)).email)

    server.removeAllListeners('request')
    server.on('request', (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }))
    })
    expect((await down.anonymous().get(START)).status).toBe(303)
    await down.close()
    await new Promise(resolve => server.close(resolve))
  })
})

const listen = (server: Server): Promise<string> =>
  new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  )
