import type { Browser, Page } from 'playwright-core'
import { aBrowser, aVisit } from '../../support/browser/browser.ts'
import { aSentBudget } from '../../support/builders.ts'
import { enterCode } from '../../support/browser/patient-page.ts'
import { watchTransfers, type Transfers } from '../../support/browser/transfers.ts'
import type { BenchInstance } from '../support/instance.ts'
import { figure, median, type Figure } from '../support/measure.ts'

const WHAT = 'patient page, from the link to the open budget'

interface Aim { name: string, most: number, unit: string, measured: number }
const against = ({ name, most, unit, measured }: Aim): Figure =>
  figure({ name, baseline: `${most} ${unit}`.trim(), unit, base: most, measured, at_most: 1 })

const inTime = (phone: string, most: number, { usable, alive }: Times): Figure[] => [
  against({ name: `patient page: code form usable, ${phone}, median of 5`, most, unit: 'ms', measured: usable }),
  against({ name: `patient page: script in place, ${phone}, median of 5`, most, unit: 'ms', measured: alive })
]

/**
 * The files that the patient's phone loads, as the server sends them, and the time until the code can be typed on a
 * slow phone.
 */
export async function patientPage(instance: BenchInstance): Promise<Figure[]> {
  const browser = await aBrowser()
  try {
    const { all, scripts, styles, requests } = await weigh(instance, browser)
    return [
      against({ name: `${WHAT}: transferred in all`, most: 200, unit: 'kB', measured: all / 1000 }),
      against({ name: `${WHAT}: transferred JavaScript`, most: 90, unit: 'kB', measured: scripts / 1000 }),
      against({ name: `${WHAT}: transferred CSS`, most: 15, unit: 'kB', measured: styles / 1000 }),
      against({ name: `${WHAT}: requests`, most: 15, unit: '', measured: requests }),
      ...inTime('CPU 4 times slower', 1500, await times(instance, browser, FAST)),
      ...inTime('60 kB/s, 300 ms latency, CPU 6 times slower', 4000, await times(instance, browser, SLOW))
    ]
  } finally {
    await browser.close()
  }
}

async function weigh(instance: BenchInstance, browser: Browser): Promise<Transfers> {
  const budget = await aSentBudget(instance)
  const { page, context } = await aVisit(browser)
  const transfers = await watchTransfers(page)
  await page.goto(budget.url)
  await enterCode(page, budget.code)
  await page.locator('.budget').waitFor()
  await page.waitForLoadState('networkidle')
  const sum = transfers()
  await context.close()
  return sum
}

interface Phone { cpu: number, /** Bytes per second. */ bandwidth: number, latency_ms: number }
const FAST: Phone = { cpu: 4, bandwidth: -1, latency_ms: 0 }
const SLOW: Phone = { cpu: 6, bandwidth: 60_000, latency_ms: 300 }

interface Times { usable: number, alive: number }

async function times(instance: BenchInstance, browser: Browser, phone: Phone): Promise<Times> {
  const runs: Times[] = []
  const count = instance.size === 'full' ? 5 : 1
  for (let run = 0; run < count; run++) runs.push(await timesOnce(instance, browser, phone))
  return { usable: median(runs.map(({ usable }) => usable)), alive: median(runs.map(({ alive }) => alive)) }
}

/**
 * Milliseconds from the start of the navigation until the form is painted, until it can be filled in and sent, and
 * until the script runs.
 */
async function timesOnce(instance: BenchInstance, browser: Browser, phone: Phone): Promise<Times> {
  const { cpu, bandwidth, latency_ms } = phone
  const budget = await aSentBudget(instance)
  const { page, context } = await aVisit(browser)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false, latency: latency_ms, downloadThroughput: bandwidth, uploadThroughput: bandwidth
  })
  await page.goto(budget.url, { waitUntil: 'commit' })
  const usable = await whenPainted(page)
  const alive = await whenAlive(page)
  await context.close()
  return { usable, alive }
}

const whenPainted = (page: Page): Promise<number> => page.evaluate(() => new Promise<number>((resolve) => {
  const look = () => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    if (paint && document.querySelector('[type=submit]:enabled')) resolve(performance.now())
    else requestAnimationFrame(look)
  }
  look()
}))

const whenAlive = (page: Page): Promise<number> => page.evaluate(() => new Promise<number>((resolve) => {
  const look = () =>
    window.useNuxtApp?.().isHydrating === false ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
}))
