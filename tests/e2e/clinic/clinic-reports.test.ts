import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE, theBrowser } from '../../support/browser/browser.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectForEverybody, focusedLabel, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
let open: SentBudget

beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  const accepted = await aSentBudget(instance)
  const rejected = await aSentBudget(instance)
  const locked = await aSentBudget(instance)
  open = await aSentBudget(instance)
  await (await aVerifiedPatient(instance, accepted)).post(`${accepted.base}/accept`, ACCEPTANCE)
  await (
    await aVerifiedPatient(instance, rejected)
  ).post(`${rejected.base}/reject`, { reason: 'Zu teuer.', reason_code: 'price' })
  await instance.sql`update budget_link set failed_attempts = 5, locked_until = now() + interval '1 hour' where budget_id = ${locked.id}`
})
afterAll(() => instance?.close())

test('the dashboard shows sent, viewed and decided budgets, and counts a new decision without a reload', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'dentist' })
  await visitPage(page, `${instance.url}/reports`)
  const step = (name: string) =>
    page.getByRole('table', { name: 'From sending to decision' }).getByRole('row', { name: new RegExp(`^${name}`) })
  expect(await step('Sent').innerText()).toMatch(/4/)
  expect(await step('Accepted').innerText()).toMatch(/\b1\b/)
  expect(await step('Declined').innerText()).toMatch(/\b1\b/)
  await page.getByText('1 of 4 budgets sent').waitFor()
  expect(await page.getByRole('table', { name: 'Why budgets were declined' }).innerText()).toContain('Price')

  await (await aVerifiedPatient(instance, open)).post(`${open.base}/accept`, ACCEPTANCE)
  await page.getByText('2 of 4 budgets sent').waitFor({ timeout: 45_000 })
  // The accepted budget has a draft invoice, which does not count as invoiced yet.
  await page.getByText('0 invoices · 2 drafts').waitFor({ timeout: 45_000 })
})

test('each entry that needs attention leads to the list with these budgets', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'dentist' })
  await visitPage(page, `${instance.url}/reports`)
  await page.getByRole('link', { name: 'Show all 1' }).first().click()
  await page.waitForURL(/\/budgets\?.*attention=locked/)
  await page.getByText('Locked').first().waitFor()
})

test('the period is in the URL, and impossible dates and a period without budgets are reported', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
  await visitPage(page, `${instance.url}/reports?from=2020-01-01&to=2020-03-31`)
  await page.getByText('No budget was sent in this period').waitFor()
  await page.getByLabel('To', { exact: true }).fill('2019-12-31')
  await page.getByText('The first day is after the last one.').waitFor()
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Last twelve months' }).click()
  await page.getByText(/of 4 budgets sent/).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test('a half-typed date causes no request, and an incomplete year is restored', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
  const refused: string[] = []
  page.on(
    'response',
    response => response.url().includes('/reports/acceptance') && !response.ok() && refused.push(response.url())
  )
  await visitPage(page, `${instance.url}/reports?from=2025-11-01&to=2026-03-31`)
  const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
  await from.focus()
  await page.keyboard.type('01052024') // month, day, year
  await page.waitForURL('**/reports?from=2024-01-05&to=2026-03-31')
  expect([await focusedLabel(page), await from.inputValue()]).toEqual(['From', '2024-01-05'])

  await to.focus()
  await page.keyboard.type('123020')
  expect(await to.inputValue()).toBe('0020-12-30')
  await from.focus()
  await expect.poll(() => to.inputValue()).toMatch(/^2026-/)
  await to.fill('2034-01-01')
  await page.getByText('At most ten years.').waitFor()
  expect([refused, await page.getByRole('alert').count()]).toEqual([[], 0])
})

test('both dates are in one row on a phone, below the usual periods', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'admin', viewport: PHONE })
  await visitPage(page, `${instance.url}/reports`)
  const [from, to, usual] = await Promise.all(
    [
      page.getByLabel('From', { exact: true }),
      page.getByLabel('To', { exact: true }),
      page.getByRole('combobox', { name: 'Period' })
    ].map(async place => (await place.boundingBox())!)
  )
  expect(to!.y).toBe(from!.y)
  expect(to!.x).toBeGreaterThan(from!.x + from!.width)
  expect(from!.y).toBeGreaterThan(usual!.y + usual!.height)
})

test('the numbers in the tables equal those in the charts and in the response, amounts to the cent', async () => {
  const { body } = await (await instance.as('admin')).get('/api/v1/reports/acceptance')
  const { page, leave } = await aStaffVisit(browser, instance, { role: 'admin' })
  await visitPage(page, `${instance.url}/reports`)
  const month = body.data.months.findLast((row: { sent: number }) => row.sent > 0)
  const newest = (name: string) =>
    page.getByRole('table', { name, exact: true }).getByRole('row').nth(1).getByRole('cell').allInnerTexts()
  const { sent, accepted, rejected, sent_amount, accepted_amount, invoiced_amount } = month
  await expect
    .poll(async () => (await newest('By month')).slice(1, 5))
    .toEqual([sent, accepted, rejected, sent - accepted - rejected].map(String))
  await expect
    .poll(async () => (await newest('Amounts by month')).slice(1))
    .toEqual([sent_amount, accepted_amount, invoiced_amount].map(amount => `€${amount}`))
  const { body: list } = await (await instance.as('admin')).get(`${BUDGETS}?status=accepted`)
  const sum = list.data.reduce((cents: number, row: { total: string }) => cents + Number(row.total.replace('.', '')), 0)
  expect(Number(month.accepted_amount.replace('.', ''))).toBe(sum)
  await leave()
})

test('the dashboard passes axe and does not scroll sideways', async () => {
  await expectForEverybody(browser, instance, '/reports', {
    role: 'admin',
    ready: page => page.locator('canvas').first().waitFor()
  })
})

test('a lost connection is shown while the data stays visible, and the page reconnects automatically', async () => {
  const { page, context } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/budgets`)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Sort by Total' }).click()
  await page.getByText('Data may be out of date').waitFor()
  expect(await page.getByRole('link', { name: open.number }).isVisible()).toBe(true)
  await context.setOffline(false)
  await page.getByText('Data may be out of date').waitFor({ state: 'detached' })
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

test('a list that a lost connection interrupted loads automatically after the reconnection', async () => {
  const { page, context } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/patients`)
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('Muñoz')
  await page.getByRole('alert').getByText('Can’t reach the service').waitFor()
  await context.setOffline(false)
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Muñoz/ }).first().waitFor()
})

test('a proxy that cannot reach the service counts as a lost connection too', async () => {
  const { page } = await aStaffVisit(browser, instance)
  let asked = 0
  await page.route(/\/clinical\/patients(?:\?|$)/, async (route) => {
    asked += 1
    await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
  }, { times: 1 })
  await visitPage(page, `${instance.url}/patients`)
  await page.getByRole('link', { name: /Muñoz/ }).first().waitFor()
  expect(asked).toBe(1)
})
