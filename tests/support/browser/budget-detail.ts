import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Visit } from './browser.ts'
import { ACCEPTANCE, aVerifiedPatient, BUDGETS, type SentBudget } from '../builders.ts'
import type { Built } from './built.ts'
import { aStaffVisit, visitPage, type StaffVisitOptions } from './staff-page.ts'

/** The clinic's page of one budget, and changes that others make to the budget meanwhile. */
export function createBudgetDetail(instance: Built, browser: Browser) {
  return {
    detail: async ({ id }: { id: string }) => (await (await instance.as('admin')).get(`${BUDGETS}/${id}`)).body.data,
    staffCall: async (path: string, body: unknown = undefined) => (await instance.as('admin')).post(path, body),

    async openDetail(budget: { id: string }, options: StaffVisitOptions = {}, query = ''): Promise<Visit> {
      const visit = await aStaffVisit(browser, instance, options)
      await visitPage(visit.page, `${instance.url}/budgets/${budget.id}${query}`)
      return visit
    },
    async lock(budget: SentBudget): Promise<void> {
      for (let tries = 0; tries < 5; tries++) await instance.anonymous().post(`${budget.base}/verify`, { code: '0000' })
    },
    async acceptByLink(budget: SentBudget): Promise<void> {
      const { status, body } = await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
      if (status !== 200) throw new Error(JSON.stringify(body))
    }
  }
}

export const dialog = (page: Page) => page.getByRole('dialog')
/** An action in the menu that lists all actions. */
export async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: action, exact: true }).click()
}
/** The reason that the menu gives for a disabled action. */
export async function reasonAgainst(page: Page, action: string): Promise<string> {
  const button = page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: action, exact: true })
  expect([action, await button.getAttribute('aria-disabled')]).toEqual([action, 'true'])
  return (await page.locator(`[id="${await button.getAttribute('aria-describedby')}"]`).textContent())!.trim()
}
