import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { A_WHOLE_LIST, measureList, repeatFirstEntry } from '../../support/browser/lists.ts'
import { aStaffVisit, followTo, visitPage } from '../../support/browser/staff-page.ts'
import { BUDGETS, aPatient, aProfessional, aSentBudget, aTreatment } from '../../support/builders.ts'
import { anIssuedInvoice } from '../../support/documents/invoices.ts'

const LAPTOP = { width: 1280, height: 800 }
/** The longest names of a real clinic need more room than their columns have. */
const NAME = { first_name: 'Maximiliano Guadalupe', last_name: 'Hernández-Echevarría de la Concepción' }
const CLINICIAN = 'Dra. María de los Ángeles Fernández-Villaverde y Ortiz'
const TREATMENT = 'Full upper and lower denture in acrylic resin, with follow-up and two adjustments of the bite'
const LISTS = {
  '/budgets': BUDGETS,
  '/patients': '/api/v1/clinical/patients',
  '/invoices': '/api/v1/billing/invoices',
  '/catalog': '/api/v1/catalog/treatments',
  '/audit': '/api/v1/audit'
}

let instance: Built
let browser: Browser
/** A budget with three marks beside its status. */
const MARKED = { open_question: true, locked: true, viewed_at: new Date().toISOString() }
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  const staff = await instance.as('admin')
  const email = 'maximiliano.guadalupe.hernandez-echevarria@patient.test'
  const patient = await aPatient(staff, { ...NAME, email, phone: '+34 600 123 456' })
  const professional = await aProfessional(instance, instance.clinic, CLINICIAN)
  const { id: treatment_id } = await aTreatment(staff, { name: { en: TREATMENT, es: TREATMENT } })
  await aSentBudget(instance, { patient_id: patient.id, professional_id: professional.id, items: [{ treatment_id }] })
  await anIssuedInvoice(instance, staff, NAME)
})
afterAll(() => instance?.close())

test('at 1280 × 800 each list has 12 whole rows of one line in view, in six languages', async () => {
  const { page, context } = await aStaffVisit(browser, instance, { role: 'admin', viewport: LAPTOP })
  for (const path of Object.values(LISTS)) await repeatFirstEntry(page, path, path === BUDGETS ? MARKED : {})
  for (const locale of ['en', 'es', 'fr', 'de', 'pt', 'ar']) {
    await context.addCookies([{ name: 'svc_language', value: locale, url: instance.url }])
    await visitPage(page, instance.url)
    for (const list of Object.keys(LISTS)) {
      await followTo(page, instance.url + list)
      const { rowsInView, ...whole } = await measureList(page)
      expect({ locale, list, ...whole }).toEqual({ locale, list, ...A_WHOLE_LIST })
      expect([locale, list, Math.min(rowsInView, 12)]).toEqual([locale, list, 12])
    }
  }
})

test('what a row cuts is shown under the pointer, and for the whole row while its link has the focus', async () => {
  const { page } = await aStaffVisit(browser, instance, { viewport: LAPTOP })
  await repeatFirstEntry(page, BUDGETS, MARKED)
  await visitPage(page, `${instance.url}/budgets`)
  const name = `${NAME.last_name}, ${NAME.first_name}`
  const hint = page.locator('[data-reka-popper-content-wrapper]')
  await page.getByText(name).nth(3).hover()
  await hint.getByText(name, { exact: true }).first().waitFor()
  await page.locator('[data-hint=Viewed]').nth(2).hover()
  await hint.getByText('Viewed', { exact: true }).first().waitFor()

  await page.getByRole('searchbox').focus()
  await page.keyboard.press('ArrowDown')
  await hint.getByText(`${name} · ${CLINICIAN} · Question · Locked · Viewed`, { exact: true }).first().waitFor()
  await page.keyboard.press('Escape')
  await hint.waitFor({ state: 'detached' })
})
