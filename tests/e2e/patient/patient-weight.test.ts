import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBrowser, aVisit } from '../../support/browser/browser.ts'
import { aSentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode } from '../../support/browser/patient-page.ts'

let it: Built
let browser: Browser
beforeAll(async () => {
  it = await aBuiltInstance()
  browser = await aBrowser()
})
afterAll(async () => {
  await browser?.close()
  await it?.close()
})

test('from the link to the open budget: at most 150 kB of gzipped JavaScript and 15 requests', async () => {
  const budget = await aSentBudget(it)
  const { page, requests } = await aVisit(browser)
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      scripts.push(response.body().then(body => gzipSync(body).length))
  })
  await page.goto(budget.url)
  await enterCode(page, budget.code)
  await page.locator('.budget').waitFor()
  await page.waitForLoadState('networkidle')

  const weight = (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0)
  expect(weight).toBeLessThanOrEqual(150_000)
  expect(requests.length, requests.map(request => request.url).join('\n')).toBeLessThanOrEqual(15)
})
