import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisit, theBrowser } from '../../support/browser/browser.ts'
import { aPatient, aSentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode } from '../../support/browser/patient-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

async function openBudgetOf(name: string): Promise<Page> {
  const patient = await aPatient(await instance.as('admin'), { first_name: name })
  const budget = await aSentBudget(instance, { patient_id: patient.id })
  const { page } = await aVisit(browser)
  await page.goto(budget.url)
  await enterCode(page, budget.code)
  await page.locator('.budget').waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

const sheetsOf = (page: Page) =>
  page.locator('link[href^="/_fonts/"]').evaluateAll(links =>
    links.map(link => /(\w+)\.css$/.exec((link as HTMLLinkElement).href)![1]))

/** The number of `Other Scripts` faces in use, each with a font of the device or one of ours. */
const loadedFaces = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    return [...document.fonts].filter(face => /Other Scripts/.test(face.family) && face.status === 'loaded').length
  })

test('a name in the ordinary typeface loads no other font', async () => {
  const page = await openBudgetOf('Zoë Łukasz Ιωάννα Юлия')
  expect([await sheetsOf(page), await loadedFaces(page)]).toEqual([[], 0])
})

test.each([
  ['Chinese', '王小明', ['chinese']],
  ['Japanese', '高橋さくら', ['japanese']],
  ['Korean', '김민준', ['korean']],
  ['Thai', 'สมชาย', ['others']],
  ['Devanagari', 'प्रिया', ['others']],
  ['Hebrew', 'נועה', ['others']],
  ['emoji', 'Ana 🦷', ['others']]
])('a patient with a name in %s sees it in a font with these characters', async (_, name, sheets) => {
  const page = await openBudgetOf(name)
  await expect.poll(() => sheetsOf(page), { timeout: 20_000 }).toEqual(sheets) // added once the script of the page runs
  // Some devices have Hebrew in their default font, which comes first.
  if (name !== 'נועה') await expect.poll(() => loadedFaces(page), { timeout: 20_000 }).toBeGreaterThan(0)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` })
})
