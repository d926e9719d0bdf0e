import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything, findOverflow, violations } from '../../support/browser/accessibility.ts'
import { aVisit, theBrowser } from '../../support/browser/browser.ts'
import {
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  ACCEPTANCE,
  BUDGETS,
  eventually,
  type SentBudget
} from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { openBudget, isAlive } from '../../support/browser/patient-page.ts'

let instance: Built
let browser: Browser
let budget: SentBudget
let accepted: SentBudget
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  const staff = await instance.as('admin')
  await staff.patch('/api/v1/clinic', { phone: '+34 910 55 21 40', email: 'hola@clinica.test' })
  budget = await aSentBudget(instance)
  accepted = await aSentBudget(instance)
  await (await aVerifiedPatient(instance, accepted)).post(`${accepted.base}/accept`, ACCEPTANCE)
  await eventually(
    async () => (await staff.get(`${BUDGETS}/${accepted.id}`)).body.data.signed_pdf.status === 'ready',
    'the signed copy'
  )
})
afterAll(() => instance?.close())

describe('the choice of language', () => {
  const LANGUAGES = [
    ['en', 'English'],
    ['es', 'Español'],
    ['fr', 'Français'],
    ['de', 'Deutsch'],
    ['pt', 'Português'],
    ['ar', 'العربية']
  ]

  test('lists each language by its own name, behind a button', async () => {
    const { page } = await aVisit(browser, { viewport: { width: 320, height: 256 } })
    await page.goto(`${budget.url}?locale=en`)
    const links = page.locator('.languages a')
    expect(await links.evaluateAll(all => all.map(link => [link.getAttribute('lang'), link.textContent]))).toEqual(
      LANGUAGES
    )
    expect(await links.first().isVisible()).toBe(false)
    expect((await page.locator('.languages').boundingBox())!.width).toBeLessThan(100)
    await page.locator('.languages summary').click()
    expect(await findOverflow(page)).toEqual([])
    expect(await violations(everything(page))).toEqual([])
  })

  test('can be used with the keyboard only, and Escape or the next control closes the list', async () => {
    const { page } = await aVisit(browser)
    await page.goto(`${budget.url}?locale=en`)
    await isAlive(page)
    const list = page.locator('.languages')
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
    await page.locator('.languages summary').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect.poll(focused).toBe('English')
    await page.keyboard.press('Escape')
    await expect.poll(() => list.getAttribute('open')).toBeNull()
    await expect.poll(focused).toContain('English')

    await page.keyboard.press('Enter')
    for (let presses = 0; presses < 7; presses++) await page.keyboard.press('Tab')
    await expect.poll(() => list.getAttribute('open')).toBeNull()
    await page.locator('.languages summary').focus()
    await page.keyboard.press('Enter')
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ihr Kostenvoranschlag liegt bereit.' }).waitFor()
    await expect.poll(() => list.getAttribute('open')).toBeNull()
  })

  test('can be used without JavaScript', async () => {
    const { page } = await aVisit(browser, { javaScriptEnabled: false })
    await page.goto(`${budget.url}?locale=en`)
    await page.locator('.languages summary').click()
    await page.getByRole('link', { name: 'العربية' }).click()
    await page.getByRole('heading', { name: 'عرض سعر علاجكم جاهز.' }).waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  })

  test('gives a number of treatments the plural form of the language', async () => {
    const staff = await instance.as('admin')
    const items = [{ treatment_id: (await aTreatment(staff)).id }, { treatment_id: (await aTreatment(staff)).id }]
    const { page } = await openBudget(browser, await aSentBudget(instance, { items }), {}, 'ar')
    await page.getByRole('heading', { name: 'علاجان', exact: true }).waitFor()
  })

  test('keeps the order of telephone, fingerprint and code in a right-to-left language', async () => {
    const { page } = await openBudget(browser, accepted, {}, 'ar')
    for (const piece of [
      page.locator('address a[href^=tel] [dir]'),
      page.locator('address a[href^=mailto]'),
      page.locator('.copy .font-mono')
    ]) {
      expect(await piece.evaluate(element => getComputedStyle(element).direction)).toBe('ltr')
    }
    await page.goto(`${budget.url}?locale=ar`)
    expect(await page.locator('#code').evaluate(element => getComputedStyle(element).direction)).toBe('ltr')
    expect(await page.locator('#code').evaluate(element => getComputedStyle(element).textAlign)).toBe('right')
  })
})
