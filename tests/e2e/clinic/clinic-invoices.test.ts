import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { anInvoice, anIssuedInvoice, INVOICES, someInvoices } from '../../support/documents/invoices.ts'
import {
  aStaffVisit,
  expectAccessible,
  expectWhyNot,
  focusedLabel,
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

const stored = async (path: string) => (await (await instance.as('admin')).get(path)).body.data

describe('the invoices', () => {
  test('are issued and paid in two payments, and show at each step why other actions are unavailable', async () => {
    const id = await anInvoice(instance)
    const { page, complaints } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/invoices/${id}`)
    await expectWhyNot(page, 'Record payment', 'It is still a draft. Issue it first.')
    await press(page, 'Issue')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It gets its number and can no longer be changed.').waitFor()
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.locator('#page-title', { hasText: /^INV-\d{4}-\d{4}$/ }).waitFor()
    await expectWhyNot(page, 'Issue', 'It is already issued.')

    await press(page, 'Record payment')
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('121.00')
    await dialog.getByLabel('Amount').fill('121,01')
    await dialog.getByRole('button', { name: 'Record payment' }).click()
    await dialog.getByText('Enter at most €121.00, the amount due.').waitFor()
    await expect.poll(() => focusedLabel(page)).toMatch(/^Amount/)
    await dialog.getByLabel('Amount').fill('60')
    await dialog.getByLabel('Note').fill('first half')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await heard(page, 'first half')
    await expectWhyNot(page, 'Cancel invoice', 'It has payments. Credit it, or reverse them first.')

    await press(page, 'Record payment')
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('61.00')
    await dialog.getByRole('button', { name: 'Record payment' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectWhyNot(page, 'Record payment', 'It is paid in full.')
    expect(await stored(`${INVOICES}/${id}`)).toMatchObject({
      status: 'paid',
      paid: '121.00',
      due: '0.00',
      payments: [{ amount: '60.00', method: 'card' }, { amount: '61.00' }]
    })
    expect(complaints).toEqual([])
  })

  test('can be cancelled after a bounced payment was reversed with a reason', async () => {
    const id = await anInvoice(instance)
    const staff = await instance.as('receptionist')
    await staff.post(`${INVOICES}/${id}/issue`, {})
    await staff.post(`${INVOICES}/${id}/payments`, { amount: '121.00', method: 'card' })
    const { page, complaints } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/invoices/${id}`)
    await expectWhyNot(page, 'Cancel invoice', 'It is paid. Credit it, or reverse its payments first.')
    await press(page, 'Reverse')
    const dialog = page.getByRole('dialog', { name: 'Reverse this payment?' })
    await dialog.getByText(/^The payment of €121\.00 on .* no longer counts/).waitFor()
    await dialog.getByRole('button', { name: 'Reverse' }).click()
    await expect.poll(() => focusedLabel(page)).toMatch(/^Reason/)
    await dialog.getByLabel('Reason').fill('The card was refused.')
    await dialog.getByRole('button', { name: 'Reverse' }).click()
    await dialog.waitFor({ state: 'detached' })
    await heard(page, /^Reversed on .*: The card was refused\.$/)
    await expectWhyNot(page, 'Reverse', 'This payment was already reversed.')
    await press(page, 'Cancel invoice')
    await page.getByRole('dialog').getByLabel('Reason').fill('Written for the wrong patient.')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel invoice' }).click()
    await expect.poll(async () => (await stored(`${INVOICES}/${id}`)).status).toBe('credited')
    expect(complaints).toEqual([])
  })

  test('record a payment of an earlier day for that day of the clinic', async () => {
    const { id } = await anIssuedInvoice(instance, await instance.as('admin'))
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/invoices/${id}`)
    await press(page, 'Record payment')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Date').fill('2026-01-15')
    await dialog.getByRole('button', { name: 'Record payment' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await stored(`${INVOICES}/${id}`)).payments[0].paid_at).toBe('2026-01-15T11:00:00.000Z')
  })

  test('have a lower amount due after another person recorded a payment', async () => {
    const staff = await instance.as('admin')
    const { id } = await anIssuedInvoice(instance, staff)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/invoices/${id}`)
    await press(page, 'Record payment')
    await staff.post(`${INVOICES}/${id}/payments`, { amount: '100.00', method: 'cash' })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Record payment' }).click()
    await dialog.getByText('Enter at most €21.00, the amount due.').waitFor()
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('121.00')
    await dialog.getByLabel('Amount').fill('21')
    await dialog.getByRole('button', { name: 'Record payment' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await stored(`${INVOICES}/${id}`)).status).toBe('paid')
  })

  test('show the reason after they were cancelled', async () => {
    const id = await anInvoice(instance)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/invoices/${id}`)
    await press(page, 'Cancel invoice')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel invoice' }).click()
    await dialog.getByText('Fill this in.').waitFor()
    await dialog.getByLabel('Reason').fill('Written twice')
    await dialog.getByRole('button', { name: 'Cancel invoice' }).click()
    await dialog.waitFor({ state: 'detached' })
    await heard(page, 'Written twice')
    await expectWhyNot(page, 'Cancel invoice', 'It is already cancelled.')
  })

  test('have counts by status, order and search in the URL of their list', async () => {
    const clinic = await instance.anotherClinic()
    await someInvoices(instance, 3, { clinic, last_name: 'Zubiri' })
    await someInvoices(instance, 1, { clinic, total: 500_000 })
    const { page } = await aStaffVisit(browser, instance, { clinic })
    await visitPage(page, `${instance.url}/invoices`)
    const tabs = page.getByRole('navigation', { name: 'Invoices by state' })
    await tabs.getByRole('link', { name: /Drafts\s*4/ }).click()
    await page.waitForURL('**/invoices?status=draft')
    await press(page, 'Sort by Total')
    await page.waitForURL(/sort=-total/)
    await page.getByRole('row').nth(1).getByText('€5,000.00').first().waitFor()
    await page.getByRole('searchbox').fill('zubiri')
    await heard(page, '3 entries')
    await tabs.getByRole('link', { name: /All\s*3/ }).waitFor()
  })

  test('have a plain link to the PDF', async () => {
    const id = await anInvoice(instance)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/invoices/${id}`)
    const href = await page.getByRole('link', { name: 'PDF' }).getAttribute('href')
    const response = await page.request.get(new URL(href!, instance.url).href)
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf'])
  })

  test('are read-only for a dentist, and unavailable for an assistant', async () => {
    const id = await anInvoice(instance)
    const dentist = await aStaffVisit(browser, instance, { role: 'dentist' })
    await visitPage(dentist.page, `${instance.url}/invoices/${id}`)
    for (const action of ['Issue', 'Record payment', 'Cancel invoice'])
      await expectWhyNot(dentist.page, action, 'Permission denied: billing.write')
    const assistant = await aStaffVisit(browser, instance, { role: 'assistant' })
    await visitPage(assistant.page, `${instance.url}/invoices`)
    await heard(assistant.page, 'Permission denied: billing.read')
  })

  test('of another clinic cannot be found', async () => {
    const id = await anInvoice(instance, { clinic: await instance.anotherClinic() })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/invoices/${id}`)
    await heard(page, 'This doesn’t exist, or no longer exists.')
  })

  test('have an accessible payment dialog, which returns the focus', async () => {
    const { id } = await anIssuedInvoice(instance, await instance.as('admin'))
    const { page } = await aStaffVisit(browser, instance, { colorScheme: 'dark' })
    await visitPage(page, `${instance.url}/invoices/${id}`)
    await page.getByRole('button', { name: 'Record payment' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Amount').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Record payment')
  })
})
