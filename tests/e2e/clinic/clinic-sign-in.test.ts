import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Secret, TOTP } from 'otpauth'
import { issueMailedToken } from '../../../server/core/people/mail/mailed-tokens.ts'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import { readConfig } from '../../../server/core/config.ts'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { endConfirmations } from '../../support/accounts.ts'
import { aVisit, DESK, PHONE, theBrowser } from '../../support/browser/browser.ts'
import { SECRET } from '../../support/browser/built-server.ts'
import { anOwnServer, type OwnServer } from '../../support/browser/own-server.ts'
import { expectAccessible, visitPage } from '../../support/browser/staff-page.ts'
import { anIdentityProvider, type IdentityProvider } from '../../support/outside/identity-provider.ts'
import { root } from '../../support/modules/official.ts'
import { PASSWORD } from '../../support/people.ts'

/** The server is opened under a host name, because passkeys do not work with IP addresses. */
let base: string
let own: OwnServer
let provider: IdentityProvider
let database: Database
let browser: Browser
beforeAll(async () => {
  const port = await freePort()
  base = `http://localhost:${port}`
  provider = await anIdentityProvider()
  provider.register(base)
  own = await anOwnServer({ ...provider.env, PORT: String(port), SVC_BASE_URL: base })
  database = await openDatabase(readConfig({ DATABASE_URL: own.databaseUrl, SVC_SECRET: SECRET }, root), { max: 2, name: 'test' })
  browser = await theBrowser()
})
afterAll(async () => {
  await database?.close()
  await own?.close()
  await provider?.close()
})

const secretsOf = () => createSecrets(readConfig({ DATABASE_URL: own.databaseUrl, SVC_SECRET: SECRET }, root))

let people = 0
async function aMember(): Promise<string> {
  const email = `person-${++people}@clinic.test`
  await createUser(
    { db: database.db, secrets: secretsOf() },
    { email, first_name: 'Rosa', last_name: 'Gil', clinic_id: own.built.clinic.id, role: 'receptionist', password: PASSWORD },
    { by: 'operator' }
  )
  return email
}

async function openLogin(viewport = DESK) {
  const visit = await aVisit(browser, { viewport, locale: 'en' })
  await visit.page.goto(`${base}/login`)
  await visit.page.getByLabel('Email address').waitFor()
  return visit
}
async function givePassword(page: Page, email: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
const arrives = (page: Page) => page.waitForURL(url => !url.pathname.startsWith('/login'))
async function signIn(email: string) {
  const visit = await openLogin()
  await givePassword(visit.page, email)
  await arrives(visit.page)
  return visit
}

/** Chromium's virtual authenticator, which verifies its user. */
async function withAuthenticator(page: Page): Promise<{ cdp: CDPSession, id: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return { cdp, id: authenticatorId }
}
/** The same passkey in another browser, as if it was synchronised. */
async function carryOver(from: { cdp: CDPSession, id: string }, to: { cdp: CDPSession, id: string }) {
  const { credentials } = await from.cdp.send('WebAuthn.getCredentials', { authenticatorId: from.id })
  for (const credential of credentials)
    await to.cdp.send('WebAuthn.addCredential', { authenticatorId: to.id, credential })
}

describe('an authenticator app', () => {
  test('is added under My account with recovery codes that are shown once, and needed to sign in', async () => {
    const email = await aMember()
    const { page, complaints } = await signIn(email)
    await visitPage(page, `${base}/account`)
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await expectAccessible(page)
    const key = await page.getByLabel('Key to type in instead').inputValue()
    const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
    await page.getByLabel('Code of the app').fill(totp.generate())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const codes = await page.locator('ol li').allTextContents()
    expect(codes).toHaveLength(10)
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('Recovery codes left: 10').waitFor()
    expect(await page.content()).not.toContain(codes[0]!.trim())
    expect(complaints).toEqual([])

    const second = await openLogin()
    await givePassword(second.page, email)
    await second.page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    await expectAccessible(second.page)
    await second.page.getByLabel('Code', { exact: true }).fill('000000')
    await second.page.getByRole('button', { name: 'Sign in' }).click()
    await second.page.getByText('This code is wrong or was already used.').waitFor()
    await second.page.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
    await second.page.getByRole('button', { name: 'Sign in' }).click()
    await arrives(second.page)

    const third = await openLogin()
    await givePassword(third.page, email)
    await third.page.getByLabel('Code', { exact: true }).fill(codes[0]!.trim())
    await third.page.getByRole('button', { name: 'Sign in' }).click()
    await arrives(third.page)
    await visitPage(third.page, `${base}/account`)
    await third.page.getByText('Recovery codes left: 9').waitFor()
  })

  test('is needed too when the session has ended under the page', async () => {
    const email = await aMember()
    const { page, context } = await signIn(email)
    await visitPage(page, `${base}/account`)
    const secret = await page.evaluate(async () => {
      const post = (path: string, body: unknown) =>
        fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      return ((await (await post('/api/v1/auth/factors/totp', {})).json()) as { data: { secret: string } }).data.secret
    })
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    await page.evaluate(code =>
      fetch('/api/v1/auth/factors/totp/confirm', {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code })
      }), totp.generate())
    await context.clearCookies({ name: 'svc_session' })
    await page.getByRole('link', { name: 'Patients' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })
})

describe('a passkey', () => {
  test('is added, and signs in alone or as the second factor', async () => {
    const email = await aMember()
    const first = await signIn(email)
    const chip = await withAuthenticator(first.page)
    await visitPage(first.page, `${base}/account`)
    await first.page.getByRole('button', { name: 'Add a passkey' }).click()
    await first.page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await first.page.getByRole('button', { name: 'I have kept them' }).click()
    await first.page.getByText('Chrome · Linux').first().waitFor()

    const alone = await openLogin()
    const second = await withAuthenticator(alone.page)
    await carryOver(chip, second)
    await expectAccessible(alone.page)
    await alone.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await arrives(alone.page)
    expect((await alone.page.request.get(`${base}/api/v1/me`)).status()).toBe(200)

    const withPassword = await openLogin()
    const third = await withAuthenticator(withPassword.page)
    await carryOver(second, third)
    await givePassword(withPassword.page, email)
    await withPassword.page.getByRole('button', { name: 'Use a passkey' }).click()
    await arrives(withPassword.page)
    expect((await withPassword.page.request.get(`${base}/api/v1/me`)).status()).toBe(200)
  })

  test('that does not verify its user cannot sign in alone', async () => {
    const email = await aMember()
    const first = await signIn(email)
    const chip = await withAuthenticator(first.page)
    await visitPage(first.page, `${base}/account`)
    await first.page.getByRole('button', { name: 'Add a passkey' }).click()
    await first.page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const { page } = await openLogin()
    const thief = await withAuthenticator(page)
    await carryOver(chip, thief)
    await thief.cdp.send('WebAuthn.setUserVerified', { authenticatorId: thief.id, isUserVerified: false })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText(/No passkey was used|wasn’t accepted/).waitFor()
    expect((await page.request.get(`${base}/api/v1/me`)).status()).toBe(401)
  })

  test('signs each challenge once, and the same response is refused a second time', async () => {
    const email = await aMember()
    const first = await signIn(email)
    const chip = await withAuthenticator(first.page)
    await visitPage(first.page, `${base}/account`)
    await first.page.getByRole('button', { name: 'Add a passkey' }).click()
    await first.page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    const { page } = await openLogin()
    await carryOver(chip, await withAuthenticator(page))
    const sent = page.waitForRequest(request => request.url().endsWith('/api/v1/auth/passkey'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    const body = (await sent).postData()!
    await arrives(page)
    const again = await fetch(`${base}/api/v1/auth/passkey`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body
    })
    expect({ status: again.status, code: ((await again.json()) as { code: string }).code })
      .toEqual({ status: 401, code: 'passkey_wrong' })
  })
})

describe('a sign-in provider', () => {
  test('signs in a known person, and opens the requested page', async () => {
    const email = await aMember()
    provider.person = { email, email_verified: true }
    const { page } = await aVisit(browser, { viewport: DESK, locale: 'en' })
    await page.goto(`${base}/login?to=/account`)
    await page.getByRole('link', { name: 'Sign in with Clinic login' }).click()
    await page.waitForURL(`${base}/account`)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  })

  test('creates no account, and the sign-in page explains it', async () => {
    provider.person = { email: 'nobody@clinic.test', email_verified: true }
    const { page } = await openLogin(PHONE)
    await page.getByRole('link', { name: 'Sign in with Clinic login' }).click()
    await page.getByText('There is no account for your address.').waitFor()
    await expectAccessible(page)
  })
})

describe('the list of own sessions', () => {
  test('can sign out one of them or all others', async () => {
    const email = await aMember()
    const [desk, other, third] = [await signIn(email), await signIn(email), await signIn(email)]
    await visitPage(desk.page, `${base}/account`)
    await expectAccessible(desk.page)
    await desk.page.getByText('This device').waitFor()
    await desk.page.getByRole('button', { name: /^Sign out on Chrome/ }).first().click()
    await expect.poll(() => desk.page.getByRole('button', { name: /^Sign out on Chrome/ }).count()).toBe(1)
    await desk.page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect.poll(() => desk.page.getByRole('button', { name: /^Sign out on Chrome/ }).count()).toBe(0)
    for (const { page } of [other, third]) expect((await page.request.get(`${base}/api/v1/me`)).status()).toBe(401)
    expect((await desk.page.request.get(`${base}/api/v1/me`)).status()).toBe(200)
  })
})

test('after the week of grace only the page to add the required second factor opens', async () => {
  const email = await aMember()
  const { page } = await signIn(email)
  const { sql, clinic } = own.built
  await sql`update core_membership set consented_at = now() - interval '1 year' where user_id = (select id from core_user where email = ${email})`
  await sql`update core_clinic set second_factor = 'all', second_factor_since = now() - interval '8 days' where id = ${clinic.id}`
  await page.goto(`${base}/budgets`)
  await page.waitForURL(`${base}/account`)
  await page.getByText('Your clinic requires a second factor. Add one to continue.').waitFor()
  await expectAccessible(page)
  await withAuthenticator(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Email me a link' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`${base}/enrolment#${await aLink('enrolment', email)}`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${base}/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await visitPage(page, `${base}/budgets`)
  expect(new URL(page.url()).pathname).toBe('/budgets')
  await sql`update core_clinic set second_factor = 'none'`
})

describe('an account that another person may have access to', () => {
  test('asks for the password and the factor before any change of them, and then continues', async () => {
    const { page, email } = await aPersonWithPasskey()
    await expireConfirmations(email)
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('button', { name: 'New recovery codes' }).last().click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('shows each factor after a new password, and nothing else until each is confirmed or removed', async () => {
    const { page } = await aPersonWithPasskey()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('quite another password, long')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Are these second factors yours?').waitFor()
    await expectAccessible(page)
    await page.goto(`${base}/budgets`)
    await page.waitForURL(`${base}/account`)
    await page.getByRole('button', { name: /^It’s mine/ }).click()
    await expect.poll(() => page.getByText('Are these second factors yours?').count()).toBe(0)
    await visitPage(page, `${base}/budgets`)
    expect(new URL(page.url()).pathname).toBe('/budgets')
  })

  test('is recovered with the link in the email about a new factor, but not by only opening the link', async () => {
    const { page, email } = await aPersonWithPasskey()
    const { sql } = own.built
    const [factor] = await sql`select id::text from core_factor where user_id = (select id from core_user where email = ${email})`
    const { page: mail } = await aVisit(browser, { viewport: PHONE, locale: 'en' })
    await mail.goto(`${base}/factor-removal#${await aLink('factor_removal', email, factor!.id as string)}`)
    await mail.getByText('This was added to your account:').waitFor()
    await expectAccessible(mail)
    expect((await page.request.get(`${base}/api/v1/me`)).status()).toBe(200)
    await mail.getByRole('button', { name: 'Remove it and sign out everywhere' }).click()
    await mail.getByText('It was removed').waitFor()
    await expectAccessible(mail)
    expect((await page.request.get(`${base}/api/v1/me`)).status()).toBe(401)
  })

  async function aPersonWithPasskey() {
    const email = await aMember()
    const { page } = await signIn(email)
    await visitPage(page, `${base}/account`)
    await withAuthenticator(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    return { page, email }
  }
  /** Ends the confirmations, as if they were an hour old. */
  async function expireConfirmations(email: string) {
    const [row] = await own.built.sql`select id::text from core_user where email = ${email}`
    await endConfirmations({ db: database.db, secrets: secretsOf() }, row!.id as string)
  }
})

/** Returns the token as an email to the person would have it. */
async function aLink(purpose: 'enrolment' | 'factor_removal', email: string, factor_id?: string) {
  const [row] = await own.built.sql`select id::text from core_user where email = ${email}`
  const about = { purpose, user_id: row!.id as string, ...factor_id ? { factor_id } : {} }
  return await issueMailedToken({ db: database.db, secrets: secretsOf() }, about)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await new Promise<number>(resolve =>
    probe.listen(0, '127.0.0.1', () => resolve((probe.address() as AddressInfo).port))
  )
  await new Promise(resolve => probe.close(resolve))
  return port
}
