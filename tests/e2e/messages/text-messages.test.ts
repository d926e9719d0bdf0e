import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBrowser } from '../../support/browser/browser.ts'
import { SECRET, stop } from '../../support/browser/built-server.ts'
import { anOwnServer, type OwnServer } from '../../support/browser/own-server.ts'
import { aStaffVisit, expectForEverybody, heard, press, visitPage } from '../../support/browser/staff-page.ts'
import { aPatient, aSentBudget, eventually } from '../../support/builders.ts'
import { svc } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'

/** An instance whose operator has installed the module; its messages are files. */
let own: OwnServer
let browser: Browser
let patient: { id: string }
beforeAll(async () => {
  own = await anOwnServer()
  browser = await aBrowser()
  const env = { SVC_ROOT: root, DATABASE_URL: own.databaseUrl, SVC_STORAGE: own.built.storage, SVC_SECRET: SECRET }
  const { code, stderr } = await svc(['modules', 'install', 'sms'], { env })
  if (code !== 0) throw new Error(stderr)
  await stop(own.process)
  await own.startAgain()
  const staff = await own.built.as('admin')
  await staff.patch('/api/v1/clinic', { country: 'ES' })
  patient = await aPatient(staff, { phone: '611 223 344', locale: 'es' })
  await aSentBudget(own.built, { patient_id: patient.id }, { channel: 'sms' })
  await eventually(async () => {
    const { body } = await staff.get(`/api/v1/sms/patients/${patient.id}`)
    return body.data.messages[0]?.state === 'sent'
  }, 'the text message')
})
afterAll(async () => {
  await browser?.close()
  await own?.close()
})

test('staff turn text messages off for a patient and on again, and read what was sent', async () => {
  const { page, context } = await aStaffVisit(browser, own.built)
  await visitPage(page, `${own.built.url}/patients/${patient.id}`)
  await heard(page, 'Written to a file')
  const section = page.getByRole('region', { name: 'Text messages' })
  await section.getByRole('button', { name: 'Turn off' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await heard(page, 'Off: turned off by staff')
  await press(page, 'Turn on again')
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on again' }).click()
  await section.getByText('On', { exact: true }).waitFor()
  await context.close()
})

const ready = (name: RegExp) => async (page: Page) => await page.getByRole('heading', { name }).first().waitFor()

test('the patient’s page with text messages passes axe and does not scroll sideways', async () => {
  await expectForEverybody(browser, own.built, `/patients/${patient.id}`, { ready: ready(/^(?:Text messages|الرسائل النصية)$/) })
})

test.each([['twilio', /twilio/i], ['http', /\{digits\}/]] as const)(
  'the settings with the provider %s pass axe and do not scroll sideways', async (provider, shown) => {
    const staff = await own.built.as('admin')
    const { status } = await staff.patch('/api/v1/clinic/settings/sms', { provider })
    expect(status).toBe(200)
    await expectForEverybody(browser, own.built, '/clinic', {
      role: 'admin',
      ready: async (page) => {
        await ready(/^(?:Text messages|الرسائل النصية)$/)(page)
        await page.getByText(shown).first().waitFor()
      }
    })
  })
