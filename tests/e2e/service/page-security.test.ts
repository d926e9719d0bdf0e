import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisit, theBrowser } from '../../support/browser/browser.ts'
import { aSentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode } from '../../support/browser/patient-page.ts'
import { aStaffVisit, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const ask = async (path: string, accept = 'text/html') => {
  const answer = await fetch(instance.url + path, { headers: { accept }, redirect: 'manual' })
  return { answer, text: await answer.text() }
}

describe('the security headers of every page', () => {
  test.each([
    '/',
    '/verify',
    '/p/budget/none',
    '/login',
    '/budgets',
    '/catalog',
    '/patients',
    '/invoices',
    '/reports',
    '/users',
    '/clinic',
    '/modules',
    '/webhooks',
    '/tokens',
    '/audit',
    '/account',
    '/invitation',
    '/password-reset',
    '/no/such/page'
  ])('include on %s a policy without unsafe values, and a new nonce', async (path) => {
    const { answer, text } = await ask(path)
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toMatch(/default-src '(?:self|none)'/)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    for (const part of [/base-uri 'none'/, /frame-ancestors 'none'/, /form-action '(?:self|none)'/])
      expect(policy).toMatch(part)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-powered-by')).toBeNull()
    expect(answer.headers.get('server')).toBeNull()
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!
    for (const [tag] of text.matchAll(/<(?:script|style)\b[^>]*>/g))
      expect(tag).toMatch(/ nonce=/)
    expect(text).not.toMatch(/<[^>]+ (?:on[a-z]+|style)=/)
    expect((await ask(path)).text).not.toContain(nonce)
  })

  test('allow on /api/docs, which shows no data, only the styles of its reader and its script file', async () => {
    const { answer, text } = await ask('/api/docs')
    const policy = answer.headers.get('content-security-policy')!
    expect(policy.split('; ')).toEqual([
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'unsafe-inline'`,
      `img-src 'self' data:`,
      'font-src data:',
      `connect-src 'self'`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`
    ])
    for (const [, attributes, content] of text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
      expect(attributes).toMatch(/ src="\/api\/docs\/| id="api-reference"/)
      expect(content).toBe('')
    }
    expect(text).not.toMatch(/<[^>]+ (?:on[a-z]+|style)=/)
  })

  test('prevent type guessing for files and probes', async () => {
    const [, script] = /src="(\/_nuxt\/[^"]+\.js)"/.exec((await ask('/')).text)!
    for (const path of [
      script!,
      '/health',
      '/livez',
      '/readyz',
      '/api/v1/openapi.json',
      '/api/v1/nothing',
      '/_nuxt/nothing.js'
    ]) {
      expect([path, (await ask(path, '*/*')).answer.headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    }
  })
})

describe('a probe', () => {
  test.each(['/livez', '/readyz', '/readyz?from=proxy'])(
    'at %s has a request id, accepts only GET and HEAD, and sends no body for HEAD',
    async (path) => {
      const { answer, text } = await ask(path, '*/*')
      expect([answer.status, answer.headers.get('content-type'), JSON.parse(text).status]).toEqual([
        200,
        'application/json',
        path === '/livez' ? 'alive' : 'ready'
      ])
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
      const head = await fetch(instance.url + path, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      const post = await fetch(instance.url + path, { method: 'POST' })
      expect([post.status, post.headers.get('allow'), (await post.json()).code]).toEqual([
        405,
        'GET, HEAD',
        'method_not_allowed'
      ])
    }
  )
})

describe('the browser blocks nothing that a page needs:', () => {
  test('the patient\'s pages, in the colour of the clinic', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`update core_clinic set accent_color = '#8a1c5a' where id = ${instance.clinic.id}`
    const { page, complaints } = await aVisit(browser)
    await page.goto(`${budget.url}?locale=es`)
    await enterCode(page, budget.code)
    await page.locator('.budget').waitFor()
    const accent = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--clinic-accent').trim())
    expect(await accent()).toBe('#8a1c5a')
    expect((await ask(`/p/budget/${budget.token}`)).text).toMatch(
      /<style nonce="[^"]+"[^>]*>:root\{--clinic-accent:#8a1c5a/
    )
    await page.goto(`${instance.url}/verify`)
    expect(complaints).toEqual([])
  })

  test('the clinic\'s pages', async () => {
    await aSentBudget(instance)
    const { page, complaints } = await aStaffVisit(browser, instance, { role: 'admin' })
    for (const path of [
      '/budgets',
      '/budgets/new',
      '/patients',
      '/patients/import',
      '/patients/professionals',
      '/catalog',
      '/catalog/new',
      '/catalog/import',
      '/catalog/sets/new',
      '/budgets/templates',
      '/invoices',
      '/reports',
      '/users',
      '/clinic',
      '/webhooks',
      '/tokens',
      '/audit',
      '/account'
    ]) {
      await visitPage(page, instance.url + path)
      for (const choice of await page.locator('#content [role=combobox], #content [aria-haspopup]').all()) {
        if (!(await choice.isEnabled().catch(() => false))) continue
        await choice.click({ timeout: 1000 }).catch(() => {})
        await page.keyboard.press('Escape')
        break
      }
      await page.keyboard.press('Control+k')
      await page.keyboard.press('Escape')
    }
    expect(complaints).toEqual([])
  })

  test('the API\'s description', async () => {
    const { page, requests } = await aVisit(browser, { viewport: { width: 1280, height: 860 } })
    const refused: string[] = []
    await page.exposeFunction('tellRefused', (what: string) => refused.push(what))
    await page.addInitScript(
      `document.addEventListener('securitypolicyviolation', e => window.tellRefused([e.effectiveDirective, e.blockedURI, e.target && e.target.className].join(' ')))`
    )
    await page.goto(`${instance.url}/api/docs`)
    await page.getByText('Dental budget service').first().waitFor()
    await page.locator('style').first().waitFor({ state: 'attached' })
    // It tests whether it may create functions from text, and works without them.
    expect(refused.filter(what => !what.startsWith('script-src eval'))).toEqual([])
    expect(
      requests.filter(({ url }) => !url.startsWith(instance.url) && !url.startsWith('data:') && !url.startsWith('blob:'))
    ).toEqual([])
  })
})
