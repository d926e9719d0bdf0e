import type { Browser, Page } from 'playwright-core'
import { aVisit, type Visit, type VisitOptions } from './browser.ts'
import type { SentBudget } from '../builders.ts'

/** Waits until the script has hydrated the page. */
export async function isAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => window.useNuxtApp?.().isHydrating === false)
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await isAlive(page)
  await page.locator('#code').fill(code)
  await page.locator('[type=submit]').click()
}

export async function chooseLanguage(page: Page, name: string): Promise<void> {
  await page.locator('.languages summary').click()
  await page.getByRole('link', { name }).click()
}

/** The page that shows the budget, in English by default. */
export async function openBudget(
  browser: Browser,
  budget: SentBudget,
  options?: VisitOptions,
  locale = 'en'
): Promise<Visit> {
  const visit = await aVisit(browser, options)
  await visit.page.goto(`${budget.url}?locale=${locale}`)
  await enterCode(visit.page, budget.code)
  await visit.page.locator('.budget').waitFor()
  return visit
}
