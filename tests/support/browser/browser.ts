import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { unpackChromium } from './chromium.ts'
import { returnTab, takeTab, type Tab } from './tabs.ts'

let shared: Promise<Browser> | undefined
/** One for all files of a worker. Its tabs have loaded the scripts of the built server before. */
export const theBrowser = (): Promise<Browser> => shared ??= aBrowser()

/**
 * A real Chromium for this file alone, with a new tab for each visit. One process per site: with the opener policy of
 * our pages, each navigation from a blank page would otherwise start a process, which has no compiled scripts.
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
  /** All requests, in order. */
  requests: { method: string, url: string, type: string }[]
  /** The problems that the page reported: errors, hydration warnings, violations of the content policy. */
  complaints: string[]
  /** Ends the visit before the test ends, so that the test's next visit can use the tab. */
  leave (): Promise<void>
}

export type VisitOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/**
 * A tab without cookies and storage, but perhaps with cached scripts. It ends with the test, because many open pages
 * slow each other down. In the shared browser the tab of an earlier visit is used again, which takes a third of the
 * time because its scripts are compiled.
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
    // The browser itself reports each answer with a status from 400 on. Tests check those answers where they matter.
    if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  return { requests, complaints }
}
