import { get, type IncomingMessage } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBrowser, aVisit } from '../../support/browser/browser.ts'
import { aSentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode } from '../../support/browser/patient-page.ts'
import { watchTransfers } from '../../support/browser/transfers.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await aBrowser()
})
afterAll(async () => {
  await browser?.close()
  await instance?.close()
})

test('the page needs at most 200 kB up to the open budget, 90 of it JavaScript, 15 CSS, in 15 requests', async () => {
  const budget = await aSentBudget(instance)
  const { page, requests } = await aVisit(browser)
  const transfers = await watchTransfers(page)
  await page.goto(budget.url)
  await enterCode(page, budget.code)
  await page.locator('.budget').waitFor()
  await page.waitForLoadState('networkidle')

  const sent = transfers()
  expect(sent.all).toBeLessThanOrEqual(200_000)
  expect(sent.scripts).toBeLessThanOrEqual(90_000)
  expect(sent.styles).toBeLessThanOrEqual(15_000)
  expect(sent.requests, requests.map(request => request.url).join('\n')).toBeLessThanOrEqual(15)
})

describe('a public file', () => {
  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(instance.url + path, { headers }, (answer) => {
        answer.resume()
        resolve(answer)
      }).on('error', reject)
    })
  const files = async () => {
    const html = await (await fetch(instance.url)).text()
    return [/src="(\/_nuxt\/[^"]+\.js)"/, /href="(\/_nuxt\/[^"]+\.css)"/].map(pattern => pattern.exec(html)![1]!)
  }

  test('with the texts of a language is sent compressed to a browser that accepts it', async () => {
    const html = await (await fetch(instance.url)).text()
    const hash = /_i18n\/(\w+)\//.exec(html)?.[1] ?? /en:"(\w{8})"/.exec(html)?.[1]
    const scripts = await files()
    const script = await (await fetch(instance.url + scripts[0]!)).text()
    const path = `/_i18n/${hash ?? /en:`(\w{8})`/.exec(script)![1]}/en/messages.json`
    const plain = await ask(path, { 'accept-encoding': 'identity' })
    const small = await ask(path, { 'accept-encoding': 'gzip, br' })
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
    expect([small.statusCode, small.headers['content-encoding']]).toEqual([200, 'br'])
    expect(await (await fetch(instance.url + path)).json()).toHaveProperty('en.budget.title')
  })

  test.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['gzip', 'gzip'],
    [undefined, 'identity'],
    [undefined, 'br;q=0, gzip;q=0']
  ])('is sent as %s to a browser that accepts %s, and cached permanently in this form', async (encoding, accepted) => {
    for (const path of await files()) {
      const { statusCode, headers } = await ask(path, { 'accept-encoding': accepted })
      expect([statusCode, headers['content-encoding']]).toEqual([200, encoding])
      expect(headers['content-type']).toMatch(path.endsWith('.js') ? /^(?:text|application)\/javascript/ : /^text\/css/)
      expect(headers.vary).toMatch(/accept-encoding/i)
      expect(headers['cache-control']).toMatch(/max-age=31536000.*immutable/)
      const again = await ask(path, { 'accept-encoding': accepted, 'if-none-match': headers.etag! })
      expect(again.statusCode).toBe(304)
      const { headers: other } = await ask(path, { 'accept-encoding': encoding === 'gzip' ? 'br' : 'gzip' })
      expect(other.etag).not.toBe(headers.etag)
    }
  })
})
