import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { aBrowser, aVisit } from '../../support/browser.ts'
import { aSentBudget } from '../../support/builders.ts'
import { enterCode } from '../../support/patient-page.ts'
import type { BenchInstance } from '../support/instance.ts'
import { figure, median, type Figure } from '../support/measure.ts'

/** What the patient's phone loads, and how soon the code can be typed on a slow one. */
export async function patientPage(instance: BenchInstance): Promise<Figure[]> {
  const browser = await aBrowser()
  try {
    const { bytes, requests } = await weigh(instance, browser)
    const times: number[] = []
    for (let run = 0; run < 5; run++) times.push(await usableAfter(instance, browser))
    return [
      figure({ name: 'patient page, from the link to the open budget: gzipped JavaScript', baseline: '150 kB', unit: 'kB', base: 150, measured: bytes / 1000, at_most: 1 }),
      figure({ name: 'patient page, from the link to the open budget: requests', baseline: '15', unit: '', base: 15, measured: requests, at_most: 1 }),
      figure({ name: 'patient page: code form usable, CPU 4 times slower, median of 5', baseline: '1.5 s', unit: 'ms', base: 1500, measured: median(times), at_most: 1 })
    ]
  } finally {
    await browser.close()
  }
}

async function weigh(instance: BenchInstance, browser: Browser): Promise<{ bytes: number, requests: number }> {
  const budget = await aSentBudget(instance)
  const { page, context, requests } = await aVisit(browser)
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body().then(body => gzipSync(body).length))
  })
  await page.goto(budget.url)
  await enterCode(page, budget.code)
  await page.locator('.budget').waitFor()
  await page.waitForLoadState('networkidle')
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return { bytes, requests: requests.length }
}

/** Milliseconds from the start of the navigation until the button can be pressed: it is disabled before the page is alive. */
async function usableAfter(instance: BenchInstance, browser: Browser): Promise<number> {
  const budget = await aSentBudget(instance)
  const { page, context } = await aVisit(browser)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(budget.url, { waitUntil: 'commit' })
  const time = await whenEnabled(page)
  await context.close()
  return time
}

const whenEnabled = (page: Page): Promise<number> => page.evaluate(() => new Promise<number>((resolve) => {
  const look = () => document.querySelector('[type=submit]:enabled') ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
}))
