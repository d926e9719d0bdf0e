import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { createBudgetDetail, dialog } from '../../support/browser/budget-detail.ts'
import { aDraft, aPatient, aTreatment } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectAccessible, focusedLabel, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
let on: ReturnType<typeof createBudgetDetail>
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  on = createBudgetDetail(instance, browser)
})
afterAll(() => instance?.close())

test('“Save and send” without a clinician moves to the clinician, and shows the reason', async () => {
  const staff = await instance.as('admin')
  const treatment = await aTreatment(staff)
  const draft = await aDraft(instance, { professional_id: null, items: [{ treatment_id: treatment.id }] })
  const { page } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
  await page.getByRole('button', { name: 'Save and send' }).press('Enter')
  await expect.poll(() => focusedLabel(page)).toContain('Clinician')
  await page.getByText('Choose a clinician first.').first().waitFor()
})

test('sending moves to each missing field', async () => {
  const staff = await instance.as('admin')
  const patient = await aPatient(staff, { email: null })
  const draft = await aDraft(instance, { patient_id: patient.id, professional_id: null, items: [] })
  const { page } = await on.openDetail(draft)
  const open = async () => {
    await visitPage(page, `${instance.url}/budgets/${draft.id}`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog(page).waitFor()
  }
  await open()
  // The disabled button moves to the first missing field.
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Add a treatment')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/edit/)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Add a treatment: name or code')

  await open()
  await dialog(page).getByRole('link', { name: 'Choose a clinician' }).click()
  await page.waitForURL(/\/edit/)
  await expect.poll(() => focusedLabel(page)).toContain('Clinician')

  await open()
  await dialog(page).getByRole('link', { name: 'Add an email address' }).click()
  await page.waitForURL(new RegExp(`/patients/${patient.id}`))
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
})

test('sending names the treatments without a translation, and moves to the first one', async () => {
  const staff = await instance.as('admin')
  const patient = await aPatient(staff, { locale: 'de' })
  const treatment = await aTreatment(staff, { name: { en: 'Porcelain bridge' } })
  const draft = await aDraft(instance, { patient_id: patient.id, items: [{ treatment_id: treatment.id }] })
  const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
  await visitPage(page, `${instance.url}/budgets/${draft.id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog(page).getByText('has no German translation').waitFor()
  await expectAccessible(page)
  await dialog(page).getByRole('link', { name: 'Porcelain bridge' }).click()
  await page.waitForURL(new RegExp(`/catalog/${treatment.id}`))
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name.de')
  await page.keyboard.type('Porzellanbrücke')
  await page.keyboard.press('Enter')
  await page.getByText('The treatment was saved').first().waitFor()

  await visitPage(page, `${instance.url}/budgets/${draft.id}`)
  await page.getByText('Porzellanbrücke').first().waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog(page).waitFor()
  expect(await dialog(page).getByText('translation').count()).toBe(0)
})
