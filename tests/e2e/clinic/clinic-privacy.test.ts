import { unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { ACCEPTANCE, aPatient, aSentBudget, BUDGETS, eventually } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import {
  aStaffVisit,
  expectAccessible,
  expectForEverybody,
  expectWhyNot,
  heard,
  press,
  visitPage
} from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const NAME = { first_name: 'Xochitl', last_name: 'Quetzal', email: 'xochitl@patient.test' }

/** A patient with an accepted budget and its issued invoice. */
async function aPatientWithPapers(): Promise<string> {
  const staff = await instance.as('admin')
  const { id } = await aPatient(staff, NAME)
  const budget = await aSentBudget(instance, { patient_id: id, internal_notes: 'Wants to think.' }, { channel: 'email' })
  await staff.post(`${BUDGETS}/${budget.id}/accept-in-clinic`, ACCEPTANCE)
  await eventually(
    async () => (await staff.get(`${BUDGETS}/${budget.id}`)).body.data.signed_pdf.status === 'ready',
    'the signed PDF'
  )
  const invoice = await eventually(
    async () => (await staff.get(`${INVOICES}?patient_id=${id}`)).body.data[0],
    'the invoice'
  )
  await staff.post(`${INVOICES}/${invoice.id}/issue`)
  return id
}

const dialog = (page: Page) => page.getByRole('dialog')
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

describe('the data rights of a patient', () => {
  test('have two disabled buttons with the reason without the permission', async () => {
    const { id } = await aPatient(await instance.as('admin'))
    const { page } = await aStaffVisit(browser, instance, { role: 'receptionist' })
    await visitPage(page, `${instance.url}/patients/${id}`)
    await expectWhyNot(page, 'Export data', 'Permission denied: privacy.manage')
    await expectWhyNot(page, 'Erase data…', 'Permission denied: privacy.manage')
  })

  test('include an export of the data as a ZIP', async () => {
    const id = await aPatientWithPapers()
    const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
    await visitPage(page, `${instance.url}/patients/${id}`)
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export data')])
    expect(download.suggestedFilename()).toBe(`patient-${id}.zip`)
    expect(Object.keys(unzipSync(readFileSync(await download.path())))).toContain('export.json')
  })

  test('include an erasure by keyboard, with a list of what is erased and kept, a checkbox, and a result', async () => {
    const id = await aPatientWithPapers()
    const { page, complaints } = await aStaffVisit(browser, instance, { role: 'admin' })
    await visitPage(page, `${instance.url}/patients/${id}`)
    await page.getByRole('button', { name: 'Erase data…' }).focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('heading', { name: 'Erase the data of Xochitl Quetzal?' }).waitFor()
    await heard(page, 'Personal details of the patient')
    await heard(page, 'Kept, because the law requires it')
    await heard(page, 'issued invoice')
    await expectWhyNot(page, 'Erase for good', 'Tick the box first.')
    await shot(page, 'erase-dialog')
    await dialog(page).getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Erase for good')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('heading', { name: 'The patient’s data was erased' }).waitFor()
    await heard(page, 'Erased')
    await shot(page, 'erase-done')
    await dialog(page).getByRole('button', { name: 'Close' }).click()

    await heard(page, /^The patient’s data was erased on/)
    await expectWhyNot(page, 'Erase data…', 'The patient’s data was already erased.')
    await page.getByText('Patient (data erased)').first().waitFor()
    await shot(page, 'erased-patient')
    await visitPage(page, `${instance.url}/invoices`)
    await page.getByText('Patient (data erased)').first().waitFor()
    await shot(page, 'erased-invoices')
    await visitPage(page, `${instance.url}/budgets`)
    await page.getByText('Patient (data erased)').first().waitFor()
    await visitPage(page, `${instance.url}/patients?search=xochitl`)
    await heard(page, /No matches|Quetzal/)
    expect(await (await instance.as('admin')).get(`/api/v1/clinical/patients/${id}`)).toMatchObject({
      body: { data: { first_name: '', email: null } }
    })
    expect(complaints).toEqual([])
  })

  test('explain an erasure that is not possible yet, without a button to erase, and can check again', async () => {
    const id = await aPatientWithPapers()
    const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
    await visitPage(page, `${instance.url}/patients/${id}`)
    await instance.sql`update budget set signed_pdf_status = 'pending' where patient_id = ${id}`
    await press(page, 'Erase data…')
    await heard(page, /something about this patient is still in progress/)
    expect(await dialog(page).getByRole('button', { name: 'Erase for good' }).count()).toBe(0)
    await instance.sql`update budget set signed_pdf_status = 'ready' where patient_id = ${id}`
    await press(page, 'Try again')
    await heard(page, 'Kept, because the law requires it')
    await expectWhyNot(page, 'Erase for good', 'Tick the box first.')
  })

  test('keep the data when the user cancels', async () => {
    const { id } = await aPatient(await instance.as('admin'), NAME)
    const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
    await visitPage(page, `${instance.url}/patients/${id}`)
    await press(page, 'Erase data…')
    await heard(page, 'Personal details of the patient')
    await dialog(page).getByRole('button', { name: 'Keep the data' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect((await (await instance.as('admin')).get(`/api/v1/clinical/patients/${id}`)).body.data.first_name).toBe(
      NAME.first_name
    )
  })

  test('have an accessible dialog and an accessible page after the erasure', async () => {
    const id = await aPatientWithPapers()
    for (const locale of ['en', 'ar', 'de']) {
      const { page, leave } = await aStaffVisit(browser, instance, { role: 'admin', locale })
      await visitPage(page, `${instance.url}/patients/${id}`)
      await page.locator('section[aria-labelledby="patient-privacy"] button').nth(1).click()
      await dialog(page).getByRole('checkbox').waitFor()
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 320, height: 740 })
      await expectAccessible(page)
      await shot(page, `erase-dialog-${locale}-320`)
      await leave()
    }
    await (await instance.as('admin')).post(`/api/v1/clinic/persons/${id}/erase`, { dry_run: false })
    await expectForEverybody(browser, instance, `/patients/${id}`, { role: 'admin' })
  })
})
