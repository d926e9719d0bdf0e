import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { unpackChromium } from './chromium.ts'

/** A real Chromium. */
export async function aBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await unpackChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--headless=shell', '--no-zygote']
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
}

export type VisitOptions = Parameters<Browser['newContext']>[0]

/**
 * A browser of its own: no cookies, nothing cached. What a test opened is closed with it: pages that pile up starve
 * each other.
 */
export async function aVisit(browser: Browser, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce', ...options })
  if (TestRunner.getCurrentTest()) onTestFinished(() => context.close())
  context.setDefaultTimeout(45_000) // a busy machine draws nothing for a while
  const page = await context.newPage()
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
  return { page, context, requests, complaints }
}
