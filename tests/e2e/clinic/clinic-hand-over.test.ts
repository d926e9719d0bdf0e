import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisit, theBrowser } from '../../support/browser/browser.ts'
import { choose, createBudgetDetail, dialog } from '../../support/browser/budget-detail.ts'
import { aPatient, aSentBudget, aTreatment } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { expectAccessible } from '../../support/browser/staff-page.ts'
import { aCatalog, offers, type Treatments } from '../../support/offers.ts'

const TABLET = { width: 820, height: 1100 }

let instance: Built
let browser: Browser
let on: ReturnType<typeof createBudgetDetail>
let treatments: Treatments
const { offer } = offers(() => treatments)
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  on = createBudgetDetail(instance, browser)
  treatments = await aCatalog(await instance.as('admin'))
})
afterAll(() => instance?.close())

/** The budget is for a patient who reads Spanish. */
async function aSpanishBudget() {
  const staff = await instance.as('admin')
  const patient = await aPatient(staff, { first_name: 'Lucía', locale: 'es' })
  const crown = await aTreatment(staff, { name: { en: 'Ceramic crown', es: 'Corona de cerámica' } })
  const budget = await aSentBudget(instance, {
    patient_id: patient.id,
    items: [{ treatment_id: crown.id }],
    internal_notes: 'Pays late.'
  })
  return budget
}

test('a patient signs on a tablet in their own language, and the reception sees the decision', async () => {
  const budget = await aSpanishBudget()
  const { page, complaints } = await on.openDetail(budget)
  await choose(page, 'Sign on another device')
  const digits = await dialog(page).locator('[data-digits]').textContent()
  await dialog(page).getByRole('img', { name: 'QR code for the other device' }).waitFor()
  await expectAccessible(page)

  const tablet = await aVisit(browser, { viewport: TABLET })
  await tablet.page.goto(`${instance.url}/sign`)
  await expectAccessible(tablet.page)
  await tablet.page.getByRole('textbox').fill('12')
  await tablet.page.getByRole('button').last().click()
  await tablet.page.getByText('Enter six digits.').waitFor()
  await tablet.page.getByRole('textbox').fill(digits!.trim())
  await tablet.page.getByRole('button').last().click()
  await tablet.page.waitForURL(/\/p\/budget\//)
  await tablet.page.getByText('Corona de cerámica').waitFor()
  expect(await tablet.page.locator('a[href^="/budgets"], a[href^="/login"]').count()).toBe(0)
  expect(await tablet.page.getByText('Pays late.').count()).toBe(0)
  await tablet.page.getByRole('button', { name: 'Aceptar' }).click()
  await tablet.page.getByRole('checkbox').check()
  await tablet.page.getByRole('button', { name: 'Confirmar y aceptar' }).click()
  await tablet.page.getByRole('heading', { name: /Gracias/ }).waitFor()

  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Decision' }).waitFor()
  expect(await on.detail(budget)).toMatchObject({ status: 'accepted', accepted_via: 'in_clinic' })
  expect((await on.detail(budget)).decision.witness).not.toBeNull()
  expect(complaints).toEqual([])

  // The link can be used only once.
  const other = await aVisit(browser, { viewport: TABLET })
  await other.page.goto(`${instance.url}/sign`)
  await other.page.getByRole('textbox').fill(digits!.trim())
  await other.page.getByRole('button').last().click()
  await other.page.getByText('These digits don’t open a budget.').waitFor()
})

test('the patient reads the lines at the desk in their own language, without internal notes', async () => {
  const budget = await aSpanishBudget()
  const { page } = await on.openDetail(budget)
  await page.getByRole('button', { name: 'Accept in the clinic' }).click()
  await dialog(page).getByText('Corona de cerámica').waitFor()
  await expect
    .poll(() => page.evaluate(() => {
      const overlay = document.querySelector('[data-slot="overlay"]')
      return overlay ? getComputedStyle(overlay).backgroundColor : null
    }))
    .not.toMatch(/rgba\(|\/ 0?\./)
})

test('the patient selects options at the desk and accepts the budget', async () => {
  const budget = await aSentBudget(instance, offer())
  const { page } = await on.openDetail(budget)
  await page.getByRole('button', { name: 'Accept in the clinic' }).click()
  await dialog(page).getByRole('checkbox', { name: /I have read/ }).check()
  await dialog(page).getByRole('button', { name: 'Confirm and accept' }).click()
  await dialog(page).getByText('Choose one to continue.').waitFor()
  await dialog(page).getByRole('radio', { name: 'Bridge' }).check()
  await dialog(page).locator('.total-sum', { hasText: '€300.00' }).waitFor()
  // The consent includes a price and was given for another one.
  const consent = dialog(page).getByRole('checkbox', { name: 'accept it for €300.00' })
  expect(await consent.isChecked()).toBe(false)
  await consent.check()
  await dialog(page).getByRole('button', { name: 'Confirm and accept' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(await on.detail(budget)).toMatchObject({ status: 'accepted', totals: { total: '300.00' } })
})
