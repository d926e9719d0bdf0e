import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisit, theBrowser } from '../../support/browser/browser.ts'
import { aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode, isAlive } from '../../support/browser/patient-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const pageOf = (budget: SentBudget, headers: Record<string, string> = {}) =>
  fetch(budget.url, { headers: { accept: 'text/html', ...headers } }).then(async answer => ({
    answer,
    html: await answer.text()
  }))

/** Everything that could change when the link is opened. */
const traces = async (budget: SentBudget) =>
  (
    await instance.sql`
  select b.viewed_at, b.log_count, l.failed_attempts, (select count(*)::int from budget_session s where s.budget_id = b.id) as sessions
  from budget b join budget_link l on l.budget_id = b.id where b.id = ${budget.id}`
  )[0]

describe('the page that the server renders before the code', () => {
  test('has the code field in the language of the budget, and nothing that the code protects', async () => {
    const budget = await aSentBudget(instance)
    const { answer, html } = await pageOf(budget)
    expect(answer.status).toBe(200)
    expect(html).toMatch(/<html[^>]*lang="es"/)
    expect(html).toMatch(/<input[^>]*inputmode="numeric"[^>]*autocomplete="one-time-code"/)
    expect(html).toContain('Clínica Peñalver')
    for (const secret of ['Lucía', 'Muñoz', budget.number, 'Empaste', 'Elena Vidal', '121.00', '121,00'])
      expect(html).not.toContain(secret)
  })

  test('is in the language of the URL rather than in that of the budget', async () => {
    const budget = await aSentBudget(instance)
    const html = await (await fetch(`${budget.url}?locale=en`)).text()
    expect(html).toMatch(/<html[^>]*lang="en"/)
    expect(html).toContain('Your treatment budget is ready.')
  })

  test.each([
    ['es-ES,es;q=0.9', 'es'],
    ['de-AT', 'de'],
    ['ar-EG', 'ar'],
    ['nl', 'en']
  ])('is in a language of the browser when there is no budget: %s gets %s', async (asked, locale) => {
    for (const path of ['/verify', '/', '/p/budget/none', '/nothing/here']) {
      const answer = await fetch(`${instance.url}${path}`, { headers: { 'accept': 'text/html', 'accept-language': asked } })
      expect(await answer.text(), path).toMatch(new RegExp(`<html[^>]*lang="${locale}"`))
    }
  })

  test('has no name and no amount in a messenger\'s preview', async () => {
    const { html } = await pageOf(await aSentBudget(instance))
    expect(html).toContain('<title>Su presupuesto de tratamiento</title>')
    const preview = html.match(/<(?:title|meta)[^>]*>[^<]*/g)!.join('\n')
    expect(preview).not.toMatch(/Peñalver|Lucía|\d{2}[.,]\d{2}/)
  })

  test('is not stored, indexed, framed or sent as a referrer, and runs no external scripts', async () => {
    const { answer } = await pageOf(await aSentBudget(instance))
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toContain(`default-src 'self'`)
    expect(policy).toContain(`frame-ancestors 'none'`)
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+';/)
    expect(policy).toMatch(/style-src 'self' 'nonce-[^']+';/)
  })

  test.each(['nothing-like-a-token', 'A'.repeat(27), '%00', '..%2f..%2fmeta'])(
    'answers 404 with an explanation for the unknown link %s',
    async (token) => {
      const answer = await fetch(`${instance.url}/p/budget/${token}?locale=en`, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(404)
      expect(await answer.text()).toContain('This link doesn’t open a budget.')
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    }
  )
})

describe('opening a link', () => {
  test.each([
    ['Defender', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Safe Links', 'sec-fetch-site': 'none' }],
    ['WhatsApp', { 'user-agent': 'WhatsApp/2.23' }],
    ['Slack', { 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
    ['prefetching', { 'sec-purpose': 'prefetch;prerender' }]
  ])('changes nothing by %s', async (_, headers) => {
    const budget = await aSentBudget(instance)
    const before = await traces(budget)
    await pageOf(budget, headers as Record<string, string>)
    await fetch(budget.url, { method: 'HEAD', headers: headers as Record<string, string> })
    expect(await traces(budget)).toEqual(before)
  })

  test('changes nothing by a scanner that runs JavaScript and stays', async () => {
    const budget = await aSentBudget(instance)
    const before = await traces(budget)
    const { page, requests } = await aVisit(browser)
    await page.clock.install()
    await page.goto(budget.url)
    await isAlive(page)
    await page.clock.runFor(60_000)
    await page.waitForLoadState('networkidle')
    expect(requests.filter(request => request.method !== 'GET')).toEqual([])
    expect(await traces(budget)).toEqual(before)
  })

  test('sends requests to this instance only, and no referrer contains the token', async () => {
    const budget = await aSentBudget(instance)
    const { page, requests } = await aVisit(browser)
    const referrers: string[] = []
    page.on('request', request => referrers.push(request.headers().referer ?? ''))
    await page.goto(budget.url)
    await enterCode(page, budget.code)
    await page.locator('.budget').waitFor()
    expect(requests.filter(request => !request.url.startsWith(instance.url) && !request.url.startsWith('data:'))).toEqual([])
    expect(referrers.filter(referrer => referrer.includes(budget.token))).toEqual([])
  })

  test('from another site shows the code form, and then the budget', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await aVisit(browser)
    await page.route('http://mail.example/', route =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${budget.url}">budget</a>` })
    )
    await page.goto('http://mail.example/')
    await page.getByRole('link').click()
    await enterCode(page, budget.code)
    await page.getByRole('heading', { name: /Hola, Lucía/ }).waitFor()
  })
})

/** A page whose script arrives only when `release` is called. */
async function aVisitWithoutScript() {
  const visit = await aVisit(browser)
  const { promise: held, resolve } = Promise.withResolvers<undefined>()
  await visit.page.route('**/*.js', async (route) => {
    await held
    await route.continue()
  })
  return { ...visit, release: () => resolve(undefined) }
}

describe('a code that is sent before the script runs, or without a script,', () => {
  const sendByHand = async (page: Page, code: string) => {
    await page.locator('#code').fill(code)
    await page.locator('#code').press('Enter')
  }
  const counts = async (budget: SentBudget) => {
    const [row] = await instance.sql`
      select l.failed_attempts, (select count(*)::int from budget_session s where s.budget_id = l.budget_id) as sessions
      from budget_link l where l.budget_id = ${budget.id}`
    return row
  }

  test('opens the budget once the script runs, and is never in a URL', async () => {
    const budget = await aSentBudget(instance)
    const { page, requests, complaints, release } = await aVisitWithoutScript()
    await page.goto(`${budget.url}?locale=en`, { waitUntil: 'commit' })
    await sendByHand(page, '4829 13')
    await page.getByRole('button', { name: 'Opening' }).waitFor()
    release()
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
    expect(page.url()).toBe(`${budget.url}?locale=en`)
    expect(requests.filter(({ url }) => /4829/.test(url))).toEqual([])
    expect(await counts(budget)).toEqual({ failed_attempts: 0, sessions: 1 })
    expect(complaints).toEqual([])
  })

  test('counts as one attempt when it is wrong, shows the attempts left, and is not repeated by a reload', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await aVisit(browser, { javaScriptEnabled: false })
    await page.goto(`${budget.url}?locale=en`)
    await sendByHand(page, '000000')
    await page.getByRole('alert').getByText('That code isn’t right. You have 4 attempts left.').waitFor()
    expect(await page.locator('#code').getAttribute('aria-invalid')).toBe('true')
    await page.reload()
    await page.locator('#code:not([aria-invalid])').waitFor()
    expect(await counts(budget)).toEqual({ failed_attempts: 1, sessions: 0 })
  })

  test('is not sent when it is malformed', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await aVisit(browser, { javaScriptEnabled: false })
    await page.goto(`${budget.url}?locale=en`)
    await sendByHand(page, '12a4')
    await page.getByRole('alert').getByText('Enter 4 to 8 digits.').waitFor()
    expect(await counts(budget)).toEqual({ failed_attempts: 0, sessions: 0 })
  })

  test('locks the link on the fifth wrong attempt', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`update budget_link set failed_attempts = 4 where budget_id = ${budget.id}`
    const { page } = await aVisit(browser, { javaScriptEnabled: false })
    await page.goto(`${budget.url}?locale=en`)
    await sendByHand(page, '000000')
    await page.getByRole('heading', { name: 'Locked for a while.' }).waitFor()
  })

  test('opens the budget as a PDF when there is no script', async () => {
    const budget = await aSentBudget(instance)
    const { page, context } = await aVisit(browser, { javaScriptEnabled: false })
    await page.goto(`${budget.url}?locale=en`)
    expect(await page.getByRole('link', { name: 'Open as PDF' }).count()).toBe(0)
    await sendByHand(page, budget.code)
    const link = page.getByRole('link', { name: 'Open as PDF' })
    await link.waitFor()
    const answer = await context.request.get(new URL((await link.getAttribute('href'))!, instance.url).href)
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf'])
  })

  test('sets the session cookie of the API, and another cookie without the code for this page only', async () => {
    const budget = await aSentBudget(instance)
    const answer = await fetch(budget.url, {
      method: 'POST',
      body: new URLSearchParams({ code: budget.code }),
      redirect: 'manual'
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, new URL(budget.url).pathname])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const cookies = answer.headers.getSetCookie().toSorted()
    expect(cookies).toHaveLength(2)
    expect(cookies[0]).toMatch(/^budget_code=[^;]*right[^;]*; Max-Age=60; Path=\/p\/budget\/[^;]+; HttpOnly; SameSite=Strict$/)
    expect(cookies[0]).not.toContain(budget.code)
    expect(cookies[1]).toMatch(/^budget_session=[^;]+; Path=\/api\/v1\/public\/budgets\/[^;]+; HttpOnly; SameSite=Strict$/)
  })

  test('is refused when another site sends it', async () => {
    const budget = await aSentBudget(instance)
    const answer = await fetch(budget.url, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ code: '000000' })
    })
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'cross_origin'])
    expect(await counts(budget)).toEqual({ failed_attempts: 0, sessions: 0 })
  })
})

describe('the code form', () => {
  test('shows the attempts left after a wrong code, and keeps the text and the focus', async () => {
    const budget = await aSentBudget(instance)
    const { page, complaints } = await aVisit(browser)
    await page.goto(`${budget.url}?locale=en`)
    await enterCode(page, '000 000')
    await page.getByRole('alert').getByText('That code isn’t right. You have 4 attempts left.').waitFor()
    expect(await page.locator('#code').inputValue()).toBe('000 000')
    await expect.poll(() => page.locator('#code').evaluate(field => field === document.activeElement)).toBe(true)
    expect(await page.locator('#code').getAttribute('aria-invalid')).toBe('true')
    expect(complaints).toEqual([])
  })

  test.each(['12a4', '123', '123456789', ''])('refuses %j without a request to the server', async (typed) => {
    const budget = await aSentBudget(instance)
    const { page, requests } = await aVisit(browser)
    await page.goto(`${budget.url}?locale=en`)
    await enterCode(page, typed)
    await page.getByText('Enter 4 to 8 digits.').waitFor()
    expect(requests.filter(request => request.method === 'POST')).toEqual([])
  })

  test('locks on the fifth wrong code until an unlock, with the time left and the clinic\'s phone number', async () => {
    const staff = await instance.as('admin')
    await staff.patch('/api/v1/clinic', { phone: '+34 910 55 21 40' })
    const budget = await aSentBudget(instance)
    const { page } = await aVisit(browser)
    await page.goto(`${budget.url}?locale=en`)
    for (const left of [4, 3, 2, 1]) {
      await enterCode(page, '000000')
      await page.getByText(left === 1 ? 'You have one attempt left.' : `${left} attempts left.`).waitFor()
    }
    await enterCode(page, '000000')
    await page.getByRole('heading', { name: 'Locked for a while.' }).waitFor()
    expect(await page.getByRole('timer').textContent()).toMatch(/^\s*1[45]:\d\d\s*$/)
    expect(await page.locator('a.button[href="tel:+34910552140"]').count()).toBe(1)

    await page.reload()
    await page.getByRole('heading', { name: 'Locked for a while.' }).waitFor()
    await staff.post(`${BUDGETS}/${budget.id}/unlock-public`, {})
    await page.reload()
    await enterCode(page, budget.code)
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
  })

  test('checks automatically whether the clinic has unlocked the link, and at once with "Try again"', async () => {
    const budget = await aSentBudget(instance)
    const lock = () =>
      instance.sql`update budget_link set failed_attempts = 5, locked_until = now() + interval '1 hour' where budget_id = ${budget.id}`
    const staff = await instance.as('admin')
    await lock()
    const { page } = await aVisit(browser, { viewport: { width: 360, height: 740 } })
    await page.clock.install()
    await page.goto(`${budget.url}?locale=en`)
    await isAlive(page)
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByText('The link is still locked.').waitFor()
    await staff.post(`${BUDGETS}/${budget.id}/unlock-public`, {})
    await page.clock.fastForward(16_000)
    await page.getByRole('button', { name: 'Open my budget' }).waitFor()
    expect(await page.getByText('The link is still locked.').count()).toBe(0)

    await lock()
    await page.reload()
    await isAlive(page)
    await staff.post(`${BUDGETS}/${budget.id}/unlock-public`, {})
    await page.getByRole('link', { name: 'Try again' }).click()
    await enterCode(page, budget.code)
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
  })

  test('is available again after the lock, even when the first response is lost', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`update budget_link set failed_attempts = 5, locked_until = now() + interval '1 minute' where budget_id = ${budget.id}`
    const { page } = await aVisit(browser)
    await page.clock.install()
    await page.goto(`${budget.url}?locale=en`)
    await page.getByRole('heading', { name: 'Locked for a while.' }).waitFor()
    await isAlive(page)
    await instance.sql`update budget_link set locked_until = now() where budget_id = ${budget.id}`
    let asked = 0
    await page.route('**/meta', route => ++asked === 1 ? route.abort() : route.continue())
    await page.clock.fastForward(120_000)
    await expect.poll(() => asked).toBeGreaterThan(0)
    await page.clock.fastForward(10_000)
    await enterCode(page, budget.code)
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
  })

  test('keeps what was typed before the page was ready, and never puts it into the URL', async () => {
    const budget = await aSentBudget(instance)
    const { page, release } = await aVisitWithoutScript()
    await page.goto(`${budget.url}?locale=en`, { waitUntil: 'commit' })
    await page.locator('#code').fill('4829')
    release()
    await isAlive(page)
    expect(await page.locator('#code').inputValue()).toBe('4829')
    expect(page.url()).not.toContain('4829')
  })

  test('is not shown while a session is open', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const [cookie] = [...patient.cookies.values()]
    const { page, context } = await aVisit(browser)
    await context.addCookies([
      {
        name: 'budget_session',
        value: cookie!.value,
        url: `${instance.url}${budget.base}`,
        httpOnly: true,
        sameSite: 'Strict'
      }
    ])
    await page.goto(`${budget.url}?locale=en`)
    await page.getByRole('heading', { name: 'Hello, Lucía.' }).waitFor()
  })
})
