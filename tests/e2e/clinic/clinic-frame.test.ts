import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisit, DESK, theBrowser } from '../../support/browser/browser.ts'
import { aDraft, aPatient, BUDGETS } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { PASSWORD } from '../../support/people.ts'
import { aStaffVisit, heard, press, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const PATIENTS = '/api/v1/clinical/patients'
const FAILED = { status: 500, contentType: 'application/problem+json', body: '{}' }
const personOf = async (clinic?: { id: string }) =>
  (await (await instance.as('receptionist', clinic)).get('/me')).body.data.user

test('a page whose script cannot be loaded shows the error page in the reader\'s language', async () => {
  const { page } = await aVisit(browser, { locale: 'de-AT', viewport: DESK })
  // The file with the clinic's texts: an option with this name occurs nowhere else.
  await page.route('**/_nuxt/*.js', async (route) => {
    const response = await route.fetch()
    await ((await response.text()).includes('inheritLocale') ? route.abort() : route.fulfill({ response }))
  })
  await page.goto(`${instance.url}/login`)
  await page.getByRole('heading', { name: 'Etwas ist schiefgegangen' }).waitFor()
  expect(await page.getByRole('main').textContent()).not.toContain('failure.')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
})

describe('the language of the screens', () => {
  const spoken = (page: Page) => page.evaluate(() => document.documentElement.lang)

  test('is the browser\'s, and a language chosen in the account applies to that account in every browser', async () => {
    const clinic = await instance.anotherClinic()
    const { email } = await personOf(clinic)
    const signIn = async (locale: string) => {
      const { page } = await aVisit(browser, { viewport: DESK, locale })
      await page.goto(`${instance.url}/login`)
      await page.locator('input[type=email]').fill(email)
      const before = await spoken(page)
      await page.locator('input[type=password]').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL(`${instance.url}/`)
      return { page, before }
    }
    const { page, before } = await signIn('de-AT')
    expect([before, await spoken(page)]).toEqual(['de', 'de'])

    await press(page, /^Konto von/)
    await page.getByRole('menuitem', { name: 'Sprache' }).click()
    const saved = page.waitForResponse(response => response.request().method() === 'PATCH')
    await page.getByRole('menuitemcheckbox', { name: 'Français' }).click()
    expect((await saved).status()).toBe(204)
    await expect.poll(() => spoken(page)).toBe('fr')

    const elsewhere = await signIn('pt-PT')
    expect([elsewhere.before, await spoken(elsewhere.page)]).toEqual(['pt', 'fr'])
    await elsewhere.page.reload()
    await expect.poll(() => spoken(elsewhere.page)).toBe('fr')
  })

  test('is the clinic\'s when the browser requests none of our languages', async () => {
    const { page, context } = await aVisit(browser, { viewport: DESK, locale: 'ja-JP' })
    await context.addCookies([{ name: 'svc_session', value: await instance.session('dentist'), url: instance.url }])
    await visitPage(page, `${instance.url}/budgets`)
    expect(await spoken(page)).toBe('es')
  })
})

describe('the frame around the pages', () => {
  test('saves nothing while another window uses another clinic, and keeps what was typed', async () => {
    const elsewhere = await instance.anotherClinic()
    const { page, context } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients/new`)
    await page.getByLabel('First name').fill('Leocadia')
    await page.getByLabel('Last name').fill('Elsewhere')

    await context.addCookies([{ name: 'svc_session', value: await instance.session('receptionist', elsewhere), url: instance.url }])
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('dialog', { name: 'You switched clinic or user in another window' }).waitFor()

    await context.addCookies([{ name: 'svc_session', value: await instance.session('receptionist'), url: instance.url }])
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.getByLabel('First name').inputValue()).toBe('Leocadia')
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Personal details' }).waitFor()
    expect((await (await instance.as('admin', elsewhere)).get(PATIENTS)).body.data).toEqual([])
  })

  test('loads every file that a page needs, and has an icon for each entry of the sidebar', async () => {
    const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
    const missing: string[] = []
    page.on('response', response => response.status() >= 400 && missing.push(`${response.status()} ${response.url()}`))
    for (const path of ['/', '/budgets', '/patients', '/catalog', '/users', '/clinic']) await visitPage(page, instance.url + path)
    await page.waitForLoadState('networkidle')
    expect(missing).toEqual([])
    const entries = page.locator('nav a')
    expect(await entries.count()).toBeGreaterThan(6)
    for (const entry of await entries.all())
      expect(await entry.locator('svg > *').count(), (await entry.textContent())!).toBeGreaterThan(0)
  })

  test('shows an error page for an unknown URL, with a link to continue', async () => {
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets?sort=evil`)
    await heard(page, 'Part of this page’s address isn’t valid.')
    await press(page, 'Reset filters')
    await page.waitForURL('**/budgets')
    await aPatient(await instance.as('admin'))
    await visitPage(page, `${instance.url}/patients?page=99`)
    await heard(page, 'Page 99 doesn’t exist')
    await press(page, 'Go to the first page')
    await page.waitForURL('**/patients')
  })

  test('keeps typed text when a permission is revoked', async () => {
    const clinic = await instance.anotherClinic()
    const { page } = await aStaffVisit(browser, instance, { clinic })
    await visitPage(page, `${instance.url}/budgets/new`)
    await page.getByLabel('Internal notes').fill('Asks for a quiet hour.')
    const { user } = (await (await instance.as('receptionist', clinic)).get('/me')).body.data
    await (await instance.as('admin', clinic)).patch(`/api/v1/users/${user.id}`, { role: 'assistant' })
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('alert').filter({ hasText: 'Permission denied: budget.write' }).waitFor()
    expect(await page.getByLabel('Internal notes').inputValue()).toBe('Asks for a quiet hour.')
  })

  test('loads a menu again that could not be loaded, with the password when the session has ended', async () => {
    const clinic = await instance.anotherClinic()
    const { id } = await personOf(clinic)
    const { page } = await aStaffVisit(browser, instance, { clinic })
    let fails = true
    await page.route('**/api/v1/modules/-/active', route => fails ? route.fulfill(FAILED) : route.continue())
    await visitPage(page, `${instance.url}/account`)
    await heard(page, 'The menu could not be loaded')

    await instance.sql`delete from core_session where user_id = ${id}`
    fails = false
    await press(page, 'Try again')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Budgets' }).first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/account')
  })

  test('asks for the password in other windows after a sign-out in one, and continues after a sign-in', async () => {
    const clinic = await instance.anotherClinic()
    const { email } = await personOf(clinic)
    const { page, context } = await aStaffVisit(browser, instance, { clinic })
    await visitPage(page, `${instance.url}/patients/new`)
    await page.getByLabel('First name').fill('Leocadia')
    const other = await context.newPage()
    await visitPage(other, `${instance.url}/account`)
    await press(other, /^Account of/)
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()

    await other.getByLabel('Email address').fill(email)
    await other.getByLabel('Password').fill(PASSWORD)
    await other.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('First name').inputValue()).toBe('Leocadia')
  })

  test('sends a file after signing in that was requested without a session', async () => {
    const { email } = await personOf()
    const path = `${BUDGETS}/${(await aDraft(instance)).id}/pdf`
    const { page } = await aVisit(browser, { viewport: DESK })
    await page.goto(instance.url + path)
    await page.waitForURL(/\/login\?to=/)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    const file = page.waitForRequest(request => request.url().endsWith(path))
    await page.keyboard.press('Enter')
    expect((await file).isNavigationRequest()).toBe(true)
  })

  test('has a palette that finds new records, reports failed searches, and shows no outdated results', async () => {
    await aPatient(await instance.as('admin'), { first_name: 'Ulrike', last_name: 'Quintero' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/account`)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog')
    const field = palette.locator('input')
    const hit = palette.getByRole('option', { name: /Quintero/ })
    await field.fill('Quintero')
    await hit.waitFor()

    let answers = false
    await page.route(/\/clinical\/patients\?/, route => (answers ? route.fulfill(FAILED) : undefined))
    await field.fill('Quinter')
    await hit.waitFor({ state: 'detached' })
    answers = true
    await field.fill('new budget')
    await palette
      .getByRole('alert')
      .getByText(/^Patients: /)
      .waitFor()
    await palette.getByRole('option', { name: 'New budget' }).click()
    await page.waitForURL(`${instance.url}/budgets/new`)
  })

  test('shows no number for a list that could not be loaded', async () => {
    const { page } = await aStaffVisit(browser, instance)
    await page.route(/\/clinical\/patients(?:\?|$)/, route => route.fulfill(FAILED))
    await visitPage(page, `${instance.url}/patients`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await page.getByText('0 entries').count()).toBe(0)
  })

  test('never leads to another site or back to the sign-in page after signing in', async () => {
    const { page } = await aStaffVisit(browser, instance)
    for (const to of [
      '//evil.test',
      '/\\evil.test',
      '/\t/evil.test',
      'https://evil.test',
      '/login',
      '/login?to=/login'
    ]) {
      await page.goto(`${instance.url}/login?to=${encodeURIComponent(to)}`)
      await page.waitForURL(`${instance.url}/`)
    }
  })

  test('moves the focus into the content of a new page', async () => {
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients`)
    await press(page, 'New patient')
    await page.waitForURL('**/patients/new')
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  })
})
