import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisit, DESK, PHONE, theBrowser } from '../../support/browser/browser.ts'

let browser: Browser
let server: Server
let url: string
beforeAll(async () => {
  browser = await theBrowser()
  server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'cross-origin-opener-policy': 'same-origin' }).end('<p>own</p>')
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => server.close())

const found = (page: Page) => page.evaluate(async () => ({
  text: document.body.textContent,
  cookie: document.cookie,
  kept: [localStorage.length, sessionStorage.length],
  width: innerWidth,
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
  isPrinted: matchMedia('print').matches,
  forced: matchMedia('(forced-colors: active)').matches,
  camera: (await navigator.permissions.query({ name: 'camera' })).state,
  added: (window as { added?: number }).added
}))
const UNTOUCHED = {
  text: 'own', cookie: '', kept: [0, 0], width: PHONE.width, isDark: false, isPrinted: false, forced: false, added: undefined
}

test('a visit finds no data of an earlier one in the same tab', async () => {
  const { page, context, leave, requests, complaints } = await aVisit(browser, { viewport: DESK, colorScheme: 'dark' })
  const { camera } = await page.goto(url).then(() => found(page))
  await context.addCookies([{ name: 'session', value: 'theirs', url }])
  await context.grantPermissions(['camera'])
  await page.emulateMedia({ media: 'print', forcedColors: 'active' })
  await page.route('**/*', route => route.fulfill({ contentType: 'text/html', body: '<p>theirs</p>' }))
  await page.reload()
  await page.evaluate(() => {
    localStorage.setItem('a', 'b')
    sessionStorage.setItem('a', 'b')
    addEventListener('beforeunload', event => event.preventDefault())
  })
  await page.click('body')
  expect(await found(page)).toMatchObject({ text: 'theirs', cookie: 'session=theirs', kept: [1, 1], isPrinted: true })
  const other = await context.newPage()
  await context.setOffline(true)
  const before = requests.length
  await leave()
  expect([page.isClosed(), other.isClosed()]).toEqual([false, true])

  const next = await aVisit(browser)
  expect(next.page).toBe(page)
  await next.page.goto(url)
  expect(await found(next.page)).toEqual({ ...UNTOUCHED, camera })
  expect([requests.length, next.requests.length, complaints]).toEqual([before, 1, []])
})

test.each<[string, (page: Page) => Promise<unknown>]>([
  ['a script for each page', page => page.addInitScript(() => Object.assign(window, { added: 1 }))],
  ['a clock', page => page.clock.install()],
  ['a second origin', page => page.goto(url.replace('127.0.0.1', 'localhost'))],
  ['a page without an origin', page => page.goto('data:text/html,<p>x</p>')]
])('a tab is not used again after %s', async (_, change) => {
  const { page, leave } = await aVisit(browser)
  await page.goto(url)
  await change(page)
  await leave()
  expect(page.isClosed()).toBe(true)
})
