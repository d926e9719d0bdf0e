import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisit, DESK, theBrowser } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aSentBudget } from '../../support/builders.ts'
import { aStaffVisit, expectForEverybody, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

describe('the home page', () => {
  test('shows what needs attention, the figures of the month and the latest decisions', async () => {
    const budget = await aSentBudget(instance)
    const decided = await aSentBudget(instance)
    await (await instance.as('admin')).post(`/api/v1/budget/budgets/${decided.id}/reject-in-clinic`, { reason: 'Too dear' })
    await instance.sql`update budget_link set delivery = 'failed' where budget_id = ${budget.id}`
    const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
    await visitPage(page, instance.url)
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.getByRole('heading', { name: 'Message not delivered' }).waitFor()
    const figures = page.getByRole('region', { name: 'This month' })
    await figures.getByText('Accepted', { exact: false }).first().waitFor()
    const decisions = page.getByRole('region', { name: 'Latest decisions' })
    await decisions.getByText(decided.number).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).and(page.locator('[aria-current]')).waitFor()
  })

  test('is accessible', async () => {
    await expectForEverybody(browser, instance, '/', {
      role: 'admin',
      ready: page => page.locator('[aria-labelledby=home-figures] dl').waitFor()
    })
  })

  test('hides what the role may not see', async () => {
    const { page } = await aStaffVisit(browser, instance, { role: 'assistant' })
    await visitPage(page, instance.url)
    await page.getByRole('heading', { name: 'Latest decisions' }).waitFor()
    expect(await page.getByRole('heading', { name: 'This month' }).count()).toBe(0)
  })

  test('opens from the clinic\'s pages without loading the application again', async () => {
    const { page, requests } = await aStaffVisit(browser, instance, { role: 'admin' })
    await visitPage(page, `${instance.url}/patients`)
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(requests.filter(({ type }) => type === 'document')).toHaveLength(1)
  })
})

describe('the address `/` without a session', () => {
  test('is the public front page, rendered by the server, and loads no part of the clinic\'s screens', async () => {
    const html = await (await fetch(instance.url)).text()
    expect(html).toContain('Take your time')
    const { page, requests } = await aVisit(browser, { viewport: DESK })
    await page.goto(instance.url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(requests.filter(({ url }) => /\/me$|modules\/-\/active/.test(url))).toEqual([])
    expect(requests.filter(({ type }) => type === 'script').length).toBeLessThanOrEqual(6)
  })

  test('is the same with the cookie of a session that has ended', async () => {
    const { page, context } = await aVisit(browser, { viewport: DESK, locale: 'en' })
    await context.addCookies([{ name: 'svc_session', value: 'nobody', url: instance.url }])
    await page.goto(instance.url)
    await page.getByText('Take your time').first().waitFor()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })
})
