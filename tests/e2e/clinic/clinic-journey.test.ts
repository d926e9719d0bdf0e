import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisit, PHONE, theBrowser } from '../../support/browser/browser.ts'
import { aPatient, aProfessional, aTreatment } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode } from '../../support/browser/patient-page.ts'
import { aStaffVisit, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

/** Until the response arrives, the previous entries cannot be selected. */
const take = (page: Page, name: string) => page.locator('[role=option]:not([data-disabled])', { hasText: name }).click()

test('a budget is written with discounts, sent, accepted on a phone, updated, invoiced and counted', async () => {
  const staff = await instance.as('admin')
  const patient = await aPatient(staff, { first_name: 'Aitana', last_name: 'Ferrer' })
  const { id: professional } = await aProfessional(instance, undefined, 'Elena Vidal')
  const treatment = await aTreatment(staff, {
    name: { en: 'Root canal', es: 'Endodoncia' },
    unit_price: '200.00',
    vat: '0'
  })
  const dashboard = await aStaffVisit(browser, instance, { role: 'dentist' })
  await visitPage(dashboard.page, `${instance.url}/reports`)
  await dashboard.page.getByText('No budget was sent in this period').waitFor()

  // The receptionist writes it: 200.00, less 25 % for the line, less 10 % for the total.
  const { page } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/budgets`)
  await page.getByRole('link', { name: 'New budget' }).click()
  await page.getByRole('combobox', { name: 'Patient' }).click()
  await page.keyboard.type('Ferrer')
  await take(page, 'Ferrer')
  await page.getByLabel('Clinician', { exact: true }).click()
  await take(page, 'Elena Vidal')
  await page.getByRole('combobox', { name: 'Add a treatment: name or code' }).click()
  await page.keyboard.type('Root')
  await take(page, 'Root canal')
  const line = page.getByRole('group', { name: /^Line 1: Root canal/ })
  await line.getByLabel('Discount', { exact: true }).fill('25')
  await page.getByLabel('Discount on the total', { exact: true }).fill('10')
  await page.getByText('€135.00').first().waitFor()

  // The receptionist hands over the link and gives the patient the code.
  await page.getByRole('button', { name: 'Save and send' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Hand it over yourself' }).check()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  const code = (await page.locator('[data-code]').textContent())!.replace(/\D/g, '')
  await page.getByRole('button', { name: 'I have noted the code' }).click()
  const url = await page.getByRole('textbox', { name: 'Link' }).inputValue()
  const id = new URL(page.url()).pathname.split('/').at(-1)!

  // The patient accepts on their own phone.
  const phone = await aVisit(browser, { viewport: PHONE, isMobile: true, hasTouch: true })
  await phone.page.goto(`${url}?locale=en`)
  await enterCode(phone.page, code)
  await phone.page.getByText('€135.00').first().waitFor()
  await phone.page.getByRole('button', { name: 'Accept' }).click()
  await phone.page.getByRole('checkbox').check()
  await phone.page.getByRole('button', { name: 'Confirm and accept' }).click()
  await phone.page.getByRole('heading', { name: /Thank you/ }).waitFor()

  // The open pages of both users are updated.
  await page.getByText('Aitana accepted this budget.').first().waitFor()
  const {
    number,
    patient_id,
    professional: chosen,
    items
  } = (await staff.get(`/api/v1/budget/budgets/${id}`)).body.data
  expect({ patient_id, professional: chosen.id, treatment: items[0].treatment_id }).toEqual({
    patient_id: patient.id,
    professional,
    treatment: treatment.id
  })
  await page.getByRole('link', { name: `Draft for ${number}` }).waitFor()
  await dashboard.page.getByText('1 of 1 budgets sent').first().waitFor()
  await dashboard.page.getByText('€135.00').first().waitFor()
  await dashboard.page.getByText('1 draft').first().waitFor()
})
