import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBrowser } from '../../support/browser/browser.ts'
import { aDraft } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectForEverybody, visitPage } from '../../support/browser/staff-page.ts'

let it: Built
let browser: Browser
beforeAll(async () => {
  it = await aBuiltInstance()
  browser = await aBrowser()
})
afterAll(async () => {
  await browser?.close()
  await it?.close()
})

test('an empty list has the button that ends it, for those who may', async () => {
  const { page, context } = await aStaffVisit(browser, it, { role: 'receptionist' })
  await visitPage(page, `${it.url}/patients`)
  await page.getByRole('link', { name: 'Add your first patient' }).click()
  await page.waitForURL(/\/patients\/new/)
  await visitPage(page, `${it.url}/catalog`)
  await page.getByText('Nothing here yet').or(page.getByRole('table')).first().waitFor()
  expect(await page.getByRole('link', { name: 'Add your first treatment' }).count()).toBe(0)
  await context.close()
})

test('the first steps are for everybody', async () => {
  await expectForEverybody(browser, it, '/budgets', {
    role: 'admin',
    ready: page => page.locator('[aria-labelledby=first-steps] a').first().waitFor()
  })
})

test('the first page lists the first steps until they are done or hidden', async () => {
  const { page, context } = await aStaffVisit(browser, it, { role: 'admin' })
  const steps = page.getByRole('region', { name: 'First steps' })
  await visitPage(page, `${it.url}/budgets`)
  await steps.waitFor()
  await steps.getByRole('link', { name: 'Add your first clinician' }).waitFor()
  await steps.getByRole('link', { name: 'Write your first budget' }).waitFor()

  await aDraft(it)
  await page.reload()
  await steps.waitFor()
  await expect.poll(() => steps.getByRole('link', { name: 'Write your first budget' }).count()).toBe(0)
  expect(await steps.innerText()).toMatch(/Write your first budget\s*: done/)

  await steps.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('table').waitFor()
  expect(await steps.count()).toBe(0)
  await context.close()
})
