import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { root } from './official.ts'

/** A real Chromium: `CHROMIUM_PATH`, else the one inside the npm package, unpacked on first use. */
export async function aBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args: ['--no-sandbox', '--disable-gpu', '--headless=shell', '--no-zygote'] })
}

async function executable(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  // These two make the package unpack the libraries that a bare machine lacks.
  Object.assign(process.env, { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  const { default: packaged } = await import('@sparticuz/chromium')
  const path = await packaged.executablePath()
  // Its own font has no Arabic letters.
  for (const face of ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf']) cpSync(join(root, 'node_modules/dejavu-fonts-ttf/ttf', face), join(tmpdir(), 'fonts', face), { force: false })
  process.env.LD_LIBRARY_PATH = [join(tmpdir(), 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return path
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

/** A browser of its own: no cookies, nothing cached. What a test opened is closed with it: pages that pile up starve each other. */
export async function aVisit(browser: Browser, options: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce', ...options })
  if (TestRunner.getCurrentTest()) onTestFinished(() => context.close())
  context.setDefaultTimeout(45_000) // a busy machine draws nothing for a while
  const page = await context.newPage()
  const requests: Visit['requests'] = []
  const complaints: string[] = []
  page.on('request', request => requests.push({ method: request.method(), url: request.url(), type: request.resourceType() }))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser itself reports each answer from 400 up; the tests look at those where they matter.
    if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text())) complaints.push(message.text())
  })
  return { page, context, requests, complaints }
}
