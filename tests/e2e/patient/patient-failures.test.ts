import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisit, theBrowser } from '../../support/browser/browser.ts'
import { aSentBudget, aVerifiedPatient, ACCEPTANCE, BUDGETS, type SentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { chooseLanguage, enterCode, openBudget } from '../../support/browser/patient-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const statusOf = async (budget: SentBudget) =>
  (await (await instance.as('admin')).get(`${BUDGETS}/${budget.id}`)).body.data.status
const problem
  = (status: number, code: string, headers: Record<string, string> = {}) =>
    (route: Route) =>
      route.fulfill({
        status,
        headers: { 'content-type': 'application/problem+json', ...headers },
        body: JSON.stringify({ type: 'about:blank', title: code, status, code })
      })

/** A completed form, signed by another person, with consent. */
async function readyToConfirm(budget: SentBudget): Promise<Page> {
  const { page } = await openBudget(browser, budget)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('radio', { name: 'A representative' }).check()
  await page.getByLabel('Full name of the person signing').fill('Carmen Vidal')
  await page.getByRole('checkbox').check()
  return page
}

const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm and accept' }).click()
const notice = (page: Page) => page.getByRole('group', { name: 'Please note' })
const keptForm = async (page: Page) => {
  expect(await page.getByLabel('Full name of the person signing').inputValue()).toBe('Carmen Vidal')
  expect(await page.getByRole('radio', { name: 'A representative' }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox').isChecked()).toBe(true)
}

describe('a failure never looks like a success:', () => {
  test.each<[string, (route: Route) => Promise<void>, RegExp]>([
    ['a lost connection', route => route.abort('connectionfailed'), /Your decision was not recorded/],
    ['500', problem(500, 'internal_error'), /Your decision was not recorded/],
    [
      '502 of a proxy, in HTML',
      route => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
      /Your decision was not recorded/
    ],
    ['503', problem(503, 'starting', { 'retry-after': '5' }), /Your decision was not recorded/],
    [
      '503 while the database waits for its standby',
      problem(503, 'commits_waiting', { 'retry-after': '10' }),
      /Your decision isn’t confirmed yet/
    ],
    [
      'a false success, HTML of a hotel\'s network,',
      route => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }),
      /Your decision was not recorded/
    ],
    ['429', problem(429, 'too_many_requests', { 'retry-after': '60' }), /Too many attempts/],
    ['422 without a field', problem(422, 'validation_failed'), /Some of your entries aren’t valid/],
    ['413', problem(413, 'payload_too_large'), /Your decision was not recorded/]
  ])('%s is reported with the focus on the message and kept input, and a second try works', async (_, answer, said) => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await page.route('**/accept?*', answer)
    await confirm(page)
    await notice(page).getByText(said).waitFor()
    await expect.poll(() => notice(page).evaluate(element => element === document.activeElement)).toBe(true)
    await keptForm(page)
    expect(await page.getByRole('heading', { name: /accepted/i }).count()).toBe(0)
    expect(await statusOf(budget)).toBe('sent')

    await page.unroute('**/accept?*')
    // When the result is unknown, the page asks the server before it offers to send again.
    const isOpen = said.source.includes('confirmed yet')
    if (isOpen) await notice(page).getByRole('button', { name: 'Try again' }).click()
    await confirm(page)
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()
    expect(await statusOf(budget)).toBe('accepted')
  })

  test('a 422 names the field, explains what to do and moves the focus there', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await page.getByLabel('Full name of the person signing').fill('Carmen \u202Elivad')
    await confirm(page)
    await page.getByText('Enter the full name of the person signing, in ordinary letters.').waitFor()
    await expect
      .poll(() =>
        page.getByLabel('Full name of the person signing').evaluate(field => field === document.activeElement)
      )
      .toBe(true)
    expect(await statusOf(budget)).toBe('sent')
  })
})

describe('a request with an unknown result', () => {
  test('shows an acceptance whose response was lost as accepted', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await page.route('**/accept?*', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await confirm(page)
    await page.getByText('The connection failed, but your decision arrived and is recorded.').waitFor()
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()
    expect(await statusOf(budget)).toBe('accepted')
  })

  test('cannot be sent again without a connection until the server was asked', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await page.route('**/api/**', route => route.abort('internetdisconnected'))
    await confirm(page)
    await notice(page).getByText('we don’t know whether your decision arrived').waitFor()
    expect(await page.getByRole('button', { name: 'Confirm and accept' }).count()).toBe(0)
    await keptForm(page)

    await page.getByRole('button', { name: 'Try again' }).click()
    await notice(page).getByText('The server still doesn’t answer.').waitFor()
    expect(await page.getByRole('button', { name: 'Confirm and accept' }).count()).toBe(0)

    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await notice(page).getByText('Your decision was not recorded').waitFor()
    await keptForm(page)
    await confirm(page)
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()
  })

  test('keeps a code that could not be checked in its field, and a second attempt works', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await aVisit(browser)
    await page.route('**/verify', problem(500, 'internal_error'))
    await page.goto(`${budget.url}?locale=en`)
    await enterCode(page, budget.code)
    await notice(page).getByText('Your code could not be checked.').waitFor()
    expect(await page.locator('#code').inputValue()).toBe(budget.code)
    await page.unroute('**/verify')
    await page.locator('[type=submit]').click()
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
  })

  test('opens the budget with a right code whose response was lost', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await aVisit(browser)
    await page.route('**/verify', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.goto(`${budget.url}?locale=en`)
    await enterCode(page, budget.code)
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
  })
})

describe('the patient\'s page', () => {
  test('shows the stored decision when another window accepted first', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    const other = await aVerifiedPatient(instance, budget)
    await other.post(`${budget.base}/accept`, ACCEPTANCE)
    await confirm(page)
    await notice(page).getByText('This budget has already been accepted or declined.').waitFor()
    await page.getByRole('heading', { name: 'This budget was accepted.' }).waitFor()
    await page.getByText('signed by Lucía Muñoz').waitFor()
  })

  test('refuses a budget that expired while the form was open, even if no job has run', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await instance.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      await sql`update budget set expires_at = now() - interval '1 second' where id = ${budget.id}`
    })
    await confirm(page)
    await notice(page).getByText('You can no longer accept or decline this budget. Nothing was recorded.').waitFor()
    await page.getByRole('heading', { name: 'This budget has expired.' }).waitFor()
  })

  test('shows that the clinic withdrew the budget', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await (await instance.as('admin')).post(`${BUDGETS}/${budget.id}/cancel`, {})
    await confirm(page)
    await page.getByRole('heading', { name: 'This budget was cancelled.' }).waitFor()
  })

  test('shows nothing after the link was revoked', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await (await instance.as('admin')).post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true })
    await confirm(page)
    await page.getByRole('heading', { name: 'This link doesn’t open a budget.' }).waitFor()
  })

  test('opens again with the code after the session ended, with all input', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await instance.sql`update budget_session set ended_at = now() where budget_id = ${budget.id}`
    await confirm(page)
    await notice(page).getByText('What you wrote is still there').waitFor()
    await enterCode(page, budget.code)
    await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
    await keptForm(page)
    await confirm(page)
    await page.getByRole('heading', { name: /Thank you/ }).waitFor()
  })

  test('keeps the form when the language changes', async () => {
    const budget = await aSentBudget(instance)
    const page = await readyToConfirm(budget)
    await chooseLanguage(page, 'Español')
    await page.getByRole('heading', { name: 'Revisar y firmar' }).waitFor()
    expect(await page.getByLabel('Nombre completo de quien firma').inputValue()).toBe('Carmen Vidal')
    await page.getByRole('button', { name: 'Volver al presupuesto' }).click()
    await page.getByText('Empaste').waitFor()
  })
})

test('the page tries again when the server cannot be reached at first', async () => {
  const budget = await aSentBudget(instance)
  const { page } = await openBudget(browser, budget)
  await page.route('**/api/**', route => route.abort('internetdisconnected'))
  await page.getByRole('button', { name: 'Close' }).click()
  await notice(page).getByText('The budget could not be closed').waitFor()
  await page.unroute('**/api/**')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('The budget is closed on this device').waitFor()
})
