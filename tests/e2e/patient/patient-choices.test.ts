import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE, theBrowser } from '../../support/browser/browser.ts'
import { aSentBudget, aTreatment, BUDGETS } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { openBudget } from '../../support/browser/patient-page.ts'
import { expectAccessible } from '../../support/browser/staff-page.ts'
import { aCatalog, offers, type Treatments } from '../../support/offers.ts'

let instance: Built
let browser: Browser
let treatments: Treatments
const { offer } = offers(() => treatments)
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  treatments = await aCatalog(await instance.as('admin'))
})
afterAll(() => instance?.close())

const sent = () => aSentBudget(instance, offer({ global_discount: { type: 'amount', value: '30.00' } }))
const detail = async (id: string) => (await (await instance.as('admin')).get(`${BUDGETS}/${id}`)).body.data

test('the patient compares, selects an option and an extra, and signs for the price on the page', async () => {
  const budget = await sent()
  const { page, complaints } = await openBudget(browser, budget, { viewport: PHONE })
  await page.getByText('Recommended by your clinic').waitFor()
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
  const bar = page.locator('.decision-total strong')
  await expect.poll(() => bar.textContent()).toContain('from €270.00')
  await expectAccessible(page)

  // Missing answers are listed with links to them.
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Choose one to continue.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('radio', { name: 'Implant', checked: true }).waitFor()
  await expect.poll(() => bar.textContent()).toContain('€370.00')
  await page.getByRole('checkbox', { name: 'Whitening' }).check()
  await expect.poll(() => bar.textContent()).toContain('€420.00')

  // The selection survives a reload in this tab.
  await page.reload()
  await page.getByRole('radio', { name: 'Implant', checked: true }).waitFor()
  await expect.poll(() => bar.textContent()).toContain('€420.00')
  expect(await page.locator('.line-net').allTextContents()).toEqual(['€93.33'])

  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Offered and not chosen').click()
  await page.getByText('Bridge').waitFor()
  await page.getByText('€280.00').waitFor()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Confirm and accept' }).click()
  await page.getByRole('heading', { name: /Thank you/ }).waitFor()
  await page.locator('.total-sum', { hasText: '€420.00' }).waitFor()
  await page.getByText('Offered and not chosen').waitFor()
  expect(await page.locator('.line-net').allTextContents()).toEqual(['€93.33', '€280.00', '€46.67'])
  expect((await detail(budget.id)).totals.total).toBe('420.00')
  expect(complaints).toEqual([])
})

test('the selection is discarded when the session ends', async () => {
  const budget = await sent()
  const { page } = await openBudget(browser, budget, { viewport: PHONE })
  await page.getByRole('radio', { name: 'Bridge' }).check()
  const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter(key => key.startsWith('budget-choices')))
  await expect.poll(kept).toHaveLength(1)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('The budget is closed on this device').waitFor()
  expect(await kept()).toEqual([])
})

test('a budget with only extras needs at least one of them', async () => {
  const staff = await instance.as('admin')
  const whitening = await aTreatment(staff, { name: { en: 'Whitening' }, unit_price: '90.00', vat: '0' })
  const choices = [{
    title: 'Whitening',
    rule: 'at_most_one',
    options: [{ title: 'Whitening', items: [{ treatment_id: whitening.id }] }]
  }]
  const { page } = await openBudget(browser, await aSentBudget(instance, { items: [], choices }), { viewport: PHONE })
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Choose at least one treatment.').waitFor()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
})
