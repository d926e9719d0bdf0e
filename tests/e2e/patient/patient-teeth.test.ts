import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBrowser, aVisit } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode, openBudget } from '../../support/browser/patient-page.ts'
import { expectAccessible } from '../../support/browser/staff-page.ts'
import { watchTransfers } from '../../support/browser/transfers.ts'
import { aSentBudget, aTreatment, type SentBudget } from '../../support/builders.ts'

const SMALL = { viewport: { width: 390, height: 844 } }
let instance: Built
let browser: Browser
let budget: SentBudget
let without: SentBudget
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await aBrowser() // one whose cache is empty, because a test weighs the scripts
  const staff = await instance.as('admin')
  const of = async (en: string) => (await aTreatment(staff, { name: { en, es: en } })).id
  const [crown, filling, implant, splint] = await Promise.all(['Crown', 'Filling', 'Implant', 'Splint'].map(of))
  budget = await aSentBudget(instance, {
    items: [
      { treatment_id: crown, teeth: ['16'] },
      { treatment_id: filling, teeth: ['16'], surfaces: ['M', 'O'] },
      { treatment_id: implant, teeth: ['36', '46'] },
      { treatment_id: splint, area: 'upper_jaw' }
    ]
  })
  without = await aSentBudget(instance, { items: [{ treatment_id: splint, area: 'upper_jaw' }] })
})
afterAll(async () => {
  await browser?.close()
  await instance?.close()
})

const chart = (page: Page) => page.getByRole('group', { name: 'Dental chart', exact: true })
const shown = (page: Page) => page.locator('.teeth-shown')

describe('the chart on the patient\'s page at 390 px', () => {
  test('shows the treated teeth, and the treatments of the selected tooth', async () => {
    const { page, complaints } = await openBudget(browser, budget, SMALL)
    await chart(page).waitFor()
    expect(await chart(page).getByRole('button').count()).toBe(3)
    await chart(page).getByRole('button', { name: /^Tooth 16, first molar, upper right/ }).click()
    expect(await shown(page).getByRole('listitem').allTextContents()).toEqual(['Crown', 'Filling (MO)'])
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  test('can be used with the arrow keys, and is read out tooth by tooth', async () => {
    const { page } = await openBudget(browser, budget, SMALL)
    await chart(page).getByRole('button').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    expect(await shown(page).textContent()).toMatch(/Tooth 36.*Implant/)
    expect(await page.getByRole('list', { name: 'Treatments by tooth' }).getByRole('listitem').allTextContents())
      .toEqual([
        ' Tooth 16, first molar, upper right: Crown; Filling (MO) ',
        ' Tooth 46, first molar, lower right: Implant ',
        ' Tooth 36, first molar, lower left: Implant ',
        ' Upper jaw: Splint '
      ].map(text => expect.stringContaining(text.trim())))
  })

  test('is not mirrored on a right-to-left page, and marks teeth without relying on colour', async () => {
    const { page } = await openBudget(browser, budget, { ...SMALL, forcedColors: 'active' }, 'ar')
    const at = async (code: string) => (await page.locator(`[data-tooth="${code}"]`).boundingBox())!.x
    await page.locator('[data-tooth="18"]').waitFor()
    expect(await at('18')).toBeLessThan(await at('28'))
    expect(await page.locator('[data-tooth="16"] .tooth-mark').count()).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  })

  test('is loaded only when a line has a tooth, and is small', async () => {
    const weigh = async (of: SentBudget) => {
      const { page, requests } = await aVisit(browser, SMALL)
      const transfers = await watchTransfers(page)
      await page.goto(`${of.url}?locale=en`)
      await enterCode(page, of.code)
      await page.locator('.budget').waitFor()
      await page.waitForLoadState('networkidle')
      return { sent: transfers(), scripts: requests.filter(({ type }) => type === 'script').length }
    }
    const [plain, drawn] = [await weigh(without), await weigh(budget)]
    expect(drawn.scripts).toBeGreaterThan(plain.scripts)
    expect(drawn.sent.all - plain.sent.all).toBeLessThanOrEqual(6_000)
  })
})
