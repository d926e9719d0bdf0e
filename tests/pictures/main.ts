import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { aBrowser, DESK, PHONE } from '../support/browser/browser.ts'
import { enterCode } from '../support/browser/patient-page.ts'
import { visitPage } from '../support/browser/staff-page.ts'
import { root } from '../support/modules/official.ts'
import { startDemo, type Demo } from './demo.ts'

/**
 * `npm run screenshots`: draws the pictures of the README from the demo, with the built server on an embedded database.
 * Dates and fingerprints on them are those of the day.
 */
const FOLDER = join(root, 'docs/pictures')
const MAX_BYTES = 300_000

const demo = await startDemo()
const browser = await aBrowser()
try {
  await mkdir(FOLDER, { recursive: true })
  await save('desk', await drawDesk(browser, demo))
  await save('patient', await drawPatient(browser, demo))
} finally {
  await browser.close()
  await demo.stop()
}

/** The patient's page on a phone, with the budget open. */
async function drawPatient(browser: Browser, { patient }: Demo): Promise<Buffer> {
  const page = await openPage(browser, PHONE)
  await page.goto(`${patient.link}?locale=en`)
  await enterCode(page, patient.code)
  await page.locator('.budget').waitFor()
  return draw(page)
}

/** The page of the same budget that the clinic's staff see. */
async function drawDesk(browser: Browser, { url, login, budget }: Demo): Promise<Buffer> {
  const page = await openPage(browser, DESK)
  await page.context().addCookies([{ name: 'svc_language', value: 'en', url }])
  await page.goto(`${url}/login?next=${encodeURIComponent(`/budgets/${budget.id}`)}`)
  await page.locator('[type=submit]:enabled').waitFor()
  await page.locator('[type=email]').fill(login.email)
  await page.locator('[type=password]').fill(login.password)
  await page.locator('[type=submit]').click()
  await page.waitForURL(address => address.pathname !== '/login')
  await visitPage(page, `${url}/budgets/${budget.id}`)
  return draw(page)
}

async function openPage(browser: Browser, viewport: typeof DESK): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: 2,
    locale: 'en-GB',
    timezoneId: 'Europe/Madrid',
    colorScheme: 'light',
    reducedMotion: 'reduce'
  })
  context.setDefaultTimeout(60_000) // a busy machine draws nothing for a while
  return context.newPage()
}

async function draw(page: Page): Promise<Buffer> {
  await page.evaluate(() => document.fonts.ready)
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

/**
 * Writes a picture with a thin frame. A palette keeps letters sharp and the file small. Throws if it is too large.
 */
async function save(name: string, screenshot: Buffer): Promise<void> {
  const framed = sharp(screenshot).extend({ top: 2, bottom: 2, left: 2, right: 2, background: '#d4d4d8' })
  const png = await framed.png({ palette: true, quality: 90, effort: 10 }).toBuffer()
  if (png.length > MAX_BYTES) throw new Error(`${name}.png has ${png.length} bytes; at most ${MAX_BYTES} are allowed`)
  await writeFile(join(FOLDER, `${name}.png`), png)
  process.stderr.write(`docs/pictures/${name}.png: ${Math.round(png.length / 1000)} kB\n`)
}
