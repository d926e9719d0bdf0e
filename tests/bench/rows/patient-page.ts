import type { Browser, CDPSession, Page } from 'playwright-core'
import { aBrowser, aVisit } from '../../support/browser/browser.ts'
import { aSentBudget } from '../../support/builders.ts'
import { enterCode } from '../../support/browser/patient-page.ts'
import type { BenchInstance } from '../support/instance.ts'
import { figure, median, type Figure } from '../support/measure.ts'

const WHAT = 'patient page, from the link to the open budget'

interface Aim { name: string, most: number, unit: string, measured: number }
const against = ({ name, most, unit, measured }: Aim): Figure =>
  figure({ name, baseline: `${most} ${unit}`.trim(), unit, base: most, measured, at_most: 1 })

/** What the patient's phone loads, as the server sends it, and how soon the code can be typed on a slow one. */
export async function patientPage(instance: BenchInstance): Promise<Figure[]> {
  const browser = await aBrowser()
  try {
    const { all, scripts, styles, requests } = await weigh(instance, browser)
    return [
      against({ name: `${WHAT}: transferred in all`, most: 200, unit: 'kB', measured: all / 1000 }),
      against({ name: `${WHAT}: transferred JavaScript`, most: 90, unit: 'kB', measured: scripts / 1000 }),
      against({ name: `${WHAT}: transferred CSS`, most: 15, unit: 'kB', measured: styles / 1000 }),
      against({ name: `${WHAT}: requests`, most: 15, unit: '', measured: requests }),
      against({
        name: 'patient page: code form usable, CPU 4 times slower, median of 5',
        most: 1500, unit: 'ms', measured: await usable(instance, browser, FAST)
      }),
      against({
        name: 'patient page: code form usable, 60 kB/s, 300 ms latency, CPU 6 times slower, median of 5',
        most: 4000, unit: 'ms', measured: await usable(instance, browser, SLOW)
      })
    ]
  } finally {
    await browser.close()
  }
}

interface Weight { all: number, scripts: number, styles: number, requests: number }

/** Bytes of every answer as they came over the wire, heads included. */
async function weigh(instance: BenchInstance, browser: Browser): Promise<Weight> {
  const budget = await aSentBudget(instance)
  const { page, context } = await aVisit(browser)
  const sizeOf = await watchTransfers(await context.newCDPSession(page))
  await page.goto(budget.url)
  await enterCode(page, budget.code)
  await page.locator('.budget').waitFor()
  await page.waitForLoadState('networkidle')
  const weight = sizeOf()
  await context.close()
  return weight
}

async function watchTransfers(devtools: CDPSession): Promise<() => Weight> {
  const paths = new Map<string, string>()
  const weight: Weight = { all: 0, scripts: 0, styles: 0, requests: 0 }
  devtools.on('Network.requestWillBeSent', ({ requestId, request, redirectResponse }) => {
    paths.set(requestId, new URL(request.url).pathname)
    weight.requests++
    weight.all += redirectResponse?.encodedDataLength ?? 0
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? ''
    weight.all += encodedDataLength
    if (path.endsWith('.js')) weight.scripts += encodedDataLength
    if (path.endsWith('.css')) weight.styles += encodedDataLength
  })
  await devtools.send('Network.enable')
  return () => weight
}

interface Phone { cpu: number, /** Bytes a second. */ bandwidth: number, latency_ms: number }
const FAST: Phone = { cpu: 4, bandwidth: -1, latency_ms: 0 }
const SLOW: Phone = { cpu: 6, bandwidth: 60_000, latency_ms: 300 }

async function usable(instance: BenchInstance, browser: Browser, phone: Phone): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 5; run++) times.push(await usableAfter(instance, browser, phone))
  return median(times)
}

/**
 * Milliseconds from the start of the navigation until the button can be pressed: it is disabled before the page is
 * alive.
 */
async function usableAfter(instance: BenchInstance, browser: Browser, phone: Phone): Promise<number> {
  const { cpu, bandwidth, latency_ms } = phone
  const budget = await aSentBudget(instance)
  const { page, context } = await aVisit(browser)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false, latency: latency_ms, downloadThroughput: bandwidth, uploadThroughput: bandwidth
  })
  await page.goto(budget.url, { waitUntil: 'commit' })
  const time = await whenEnabled(page)
  await context.close()
  return time
}

const whenEnabled = (page: Page): Promise<number> => page.evaluate(() => new Promise<number>((resolve) => {
  const look = () =>
    document.querySelector('[type=submit]:enabled') ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
}))
