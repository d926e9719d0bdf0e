import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { unpackChromium } from './chromium.ts'
import { returnTab, takeTab, type Tab } from './tabs.ts'

let shared: Promise<Browser> | undefined
/** For all files of a worker, and ends with it. Its tabs have loaded the scripts of the built server before. */
export const theBrowser = (): Promise<Browser> => shared ??= aBrowser()

/**
 * A real Chromium that nobody else uses, where each visit has a new tab. One process per site: with the opener policy
 * of our pages each way from a blank page to one of them would begin a process, which has compiled no script.
 */
export async function aBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await unpackChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--headless=shell', '--process-per-site']
  })
}

export const PHONE = { width: 360, height: 740 }
export const DESK = { width: 1280, height: 860 }

export interface Visit {
  page: Page
  context: BrowserContext
  /** Everything that was asked for, in order. */
  requests: { method: string, url: string, type: string }[]
  /** What the page complained about: errors, warnings of hydration, refusals of the content policy. */
  complaints: string[]
  /** Ends it before the test does, so that the next visit of the same test can use the tab. */
  leave (): Promise<void>
}

export type VisitOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/**
 * A tab without cookies and storage, but perhaps with scripts in its cache. What a test opened ends with it: pages
 * that pile up starve each other. In the shared browser the tab of an earlier visit is used again, which takes a third
 * of the time, as its scripts are compiled.
 */
export async function aVisit(browser: Browser, options: VisitOptions = {}): Promise<Visit> {
  const tab = await takeTab(browser, { viewport: PHONE, reducedMotion: 'reduce', ...options })
  let isLeft = false
  const leave = async () => {
    if (isLeft) return
    isLeft = true
    await (browser === (await shared) ? returnTab(browser, tab) : tab.context.close())
  }
  if (TestRunner.getCurrentTest()) onTestFinished(leave)
  return { page: tab.page, context: tab.context, ...listenTo(tab), leave }
}

function listenTo({ page }: Tab): Pick<Visit, 'requests' | 'complaints'> {
  const requests: Visit['requests'] = []
  const complaints: string[] = []
  page.on('request', request =>
    requests.push({ method: request.method(), url: request.url(), type: request.resourceType() })
  )
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser itself reports each answer from 400 up; the tests look at those where they matter.
    if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  return { requests, complaints }
}
