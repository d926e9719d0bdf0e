import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aDraft } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectForEverybody, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

test('an empty list has a button to add the first record for people with the permission', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'receptionist' })
  await visitPage(page, `${instance.url}/patients`)
  await page.getByRole('link', { name: 'Add your first patient' }).click()
  await page.waitForURL(/\/patients\/new/)
  await visitPage(page, `${instance.url}/catalog`)
  await page.getByText('Nothing here yet').or(page.getByRole('table')).first().waitFor()
  expect(await page.getByRole('link', { name: 'Add your first treatment' }).count()).toBe(0)
})

test('the first steps are accessible', async () => {
  await expectForEverybody(browser, instance, '/', {
    role: 'admin',
    ready: page => page.locator('[aria-labelledby=first-steps] a').first().waitFor()
  })
})

const stepsOf = (page: Page) => page.getByRole('region', { name: 'First steps' })

test('the home page of a new clinic lists its first steps until they are done', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
  const steps = stepsOf(page)
  await visitPage(page, instance.url)
  for (const name of [
    'Add your first clinician',
    'Add treatments with their prices',
    'Add your first patient',
    'Write your first budget',
    'Add your logo and contact details',
    'Set up outgoing email'
  ]) await steps.getByRole('link', { name }).waitFor()

  await aDraft(instance)
  await page.reload()
  await steps.waitFor()
  await expect.poll(() => steps.getByRole('link', { name: 'Write your first budget' }).count()).toBe(0)
  expect(await steps.innerText()).toMatch(/Write your first budget\s*: done/)
})

test('an administrator can hide the first steps for the whole clinic', async () => {
  const clinic = await instance.anotherClinic()
  const { page, leave } = await aStaffVisit(browser, instance, { role: 'admin', clinic })
  const dentist = await aStaffVisit(browser, instance, { role: 'dentist', clinic })
  await visitPage(dentist.page, instance.url)
  await stepsOf(dentist.page).getByRole('link').first().waitFor()
  expect(await stepsOf(dentist.page).getByRole('button', { name: 'Hide' }).count()).toBe(0)

  await visitPage(page, instance.url)
  await stepsOf(page).getByRole('button', { name: 'Hide' }).click()
  await stepsOf(page).waitFor({ state: 'detached' })
  for (const each of [page, dentist.page]) {
    await visitPage(each, instance.url)
    await each.getByRole('heading', { name: 'Latest decisions' }).waitFor()
    expect(await stepsOf(each).count()).toBe(0)
  }
  await leave()
})
