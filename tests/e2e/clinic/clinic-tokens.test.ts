import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectAccessible, visitPage } from '../../support/browser/staff-page.ts'
import { createCaller } from '../../support/caller.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

test('a token is created with selected permissions, shown once, listed with its use, and revoked', async () => {
  const clinic = await instance.anotherClinic()
  const { page, leave } = await aStaffVisit(browser, instance, { role: 'admin', clinic })
  await visitPage(page, `${instance.url}/tokens`)
  await page.getByText('Add one if another program needs').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Add your first token' }).click()

  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('Fill this in.').first().waitFor()
  await page.getByLabel('Name').fill('Practice software')
  const patients = page.getByRole('group', { name: 'Patients' })
  await patients.getByRole('checkbox', { name: 'Read' }).check()
  await page.getByRole('group', { name: 'Budgets' }).getByRole('checkbox', { name: 'Read' }).check()
  expect(await page.getByRole('group', { name: 'Users' }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create token' }).click()

  const token = await page.getByRole('textbox', { name: 'New token' }).inputValue()
  expect(token).toMatch(/^svct_[\w-]{43}$/)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'I have saved it' }).click()
  const row = page.getByRole('row', { name: /Practice software/ })
  await row.getByText('Never').waitFor()
  await row.getByText('Patients: Read').waitFor()
  expect(await page.content()).not.toContain(token)

  const program = createCaller(instance.url, { bearer: token })
  expect((await program.get('/api/v1/clinical/patients')).status).toBe(200)
  expect((await program.get('/api/v1/catalog/treatments')).status).toBe(403)
  await page.reload()
  await row.waitFor()
  expect(await row.getByText('Never').count()).toBe(0)
  await expectAccessible(page)

  await row.getByRole('button', { name: 'Revoke Practice software' }).click()
  await page.getByRole('dialog').getByText('Revoke the token “Practice software”?').waitFor()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The token was revoked').first().waitFor()
  await row.waitFor({ state: 'detached' })
  expect((await program.get('/api/v1/clinical/patients')).status).toBe(401)
  await leave()
})

test('an external id can have a slash, a space and letters of any language, also in the URL', async () => {
  const staff = await instance.as('admin')
  const address = `/api/v1/clinical/patients/by-external-id/pms/${encodeURIComponent('A/1 ñ?')}`
  const made = await staff.put(address, { first_name: 'Ana', last_name: 'Ruiz' })
  expect([made.status, made.body.data.external_ids]).toEqual([201, { pms: 'A/1 ñ?' }])
  expect((await staff.get(address)).body.data.id).toBe(made.body.data.id)
  expect((await staff.put(address, { first_name: 'Ana', last_name: 'Gil' })).status).toBe(200)
})
