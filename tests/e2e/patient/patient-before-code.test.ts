import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBrowser, aVisit } from '../../support/browser/browser.ts'
import { aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode, isAlive } from '../../support/browser/patient-page.ts'

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

const pageOf = (budget: SentBudget, headers: Record<string, string> = {}) =>
  fetch(budget.url, { headers: { accept: 'text/html', ...headers } }).then(async answer => ({
    answer,
    html: await answer.text()
  }))

/** All that opening could have changed. */
const traces = async (budget: SentBudget) =>
  (
    await instance.sql`
  select b.viewed_at, b.log_count, l.failed_attempts, (select count(*)::int from budget_session s where s.budget_id = b.id) as sessions
  from budget b join budget_link l on l.budget_id = b.id where b.id = ${budget.id}`
  )[0]

describe('the server draws up to the code form', () => {
  test('with the field, in the language of the budget, and nothing of what is behind the code', async () => {
    const budget = await aSentBudget(instance)
    const { answer, html } = await pageOf(budget)
    expect(answer.status).toBe(200)
    expect(html).toMatch(/<html[^>]*lang="es"/)
    expect(html).toMatch(/<input[^>]*inputmode="numeric"[^>]*autocomplete="one-time-code"/)
    expect(html).toContain('Clínica Peñalver')
    for (const secret of ['Lucía', 'Muñoz', budget.number, 'Empaste', 'Elena Vidal', '121.00', '121,00'])
      expect(html).not.toContain(secret)
  })

  test('the language of the address wins over the budget\'s', async () => {
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
  ])('a page without a budget answers the browser\'s %s in %s', async (asked, locale) => {
    for (const path of ['/verify', '/', '/p/budget/none', '/nothing/here']) {
      const answer = await fetch(`${instance.url}${path}`, { headers: { 'accept': 'text/html', 'accept-language': asked } })
      expect(await answer.text(), path).toMatch(new RegExp(`<html[^>]*lang="${locale}"`))
    }
  })

  test('a preview in a messenger contains no name and no amount', async () => {
    const { html } = await pageOf(await aSentBudget(instance))
    expect(html).toContain('<title>Su presupuesto de tratamiento</title>')
    const preview = html.match(/<(?:title|meta)[^>]*>[^<]*/g)!.join('\n')
    expect(preview).not.toMatch(/Peñalver|Lucía|\d{2}[.,]\d{2}/)
  })

  test('it is neither stored, indexed, framed nor sent to others as a referrer, and runs no foreign script', async () => {
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
    'the unknown link %s answers 404 with a page that says so',
    async (token) => {
      const answer = await fetch(`${instance.url}/p/budget/${token}?locale=en`, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(404)
      expect(await answer.text()).toContain('This link doesn’t open a budget.')
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    }
  )
})

describe('opening a link changes nothing', () => {
  test.each([
    ['Defender', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Safe Links', 'sec-fetch-site': 'none' }],
    ['WhatsApp', { 'user-agent': 'WhatsApp/2.23' }],
    ['Slack', { 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
    ['prefetching', { 'sec-purpose': 'prefetch;prerender' }]
  ])('%s', async (_, headers) => {
    const budget = await aSentBudget(instance)
    const before = await traces(budget)
    await pageOf(budget, headers as Record<string, string>)
    await fetch(budget.url, { method: 'HEAD', headers: headers as Record<string, string> })
    expect(await traces(budget)).toEqual(before)
  })

  test('a scanner that runs JavaScript and stays posts nothing', async () => {
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

  test('requests go to this instance only, and no referrer contains the token', async () => {
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

  test('a link followed from another site opens the code form, and then the budget', async () => {
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

/** A page whose script is on its way until `release` is called. */
async function aVisitWithoutScript() {
  const visit = await aVisit(browser)
  const { promise: held, resolve } = Promise.withResolvers<undefined>()
  await visit.page.route('**/*.js', async (route) => {
    await held
    await route.continue()
  })
  return { ...visit, release: () => resolve(undefined) }
}

describe('a code that is sent before the script is there, or without one', () => {
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

  test('opens the budget once the script is there, and is in no address', async () => {
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

  test('a wrong one is one attempt, says how many are left, and is not sent again by a reload', async () => {
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

  test('a malformed code is not sent', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await aVisit(browser, { javaScriptEnabled: false })
    await page.goto(`${budget.url}?locale=en`)
    await sendByHand(page, '12a4')
    await page.getByRole('alert').getByText('Enter 4 to 8 digits.').waitFor()
    expect(await counts(budget)).toEqual({ failed_attempts: 0, sessions: 0 })
  })

  test('the fifth wrong one locks', async () => {
    const budget = await aSentBudget(instance)
    await instance.sql`update budget_link set failed_attempts = 4 where budget_id = ${budget.id}`
    const { page } = await aVisit(browser, { javaScriptEnabled: false })
    await page.goto(`${budget.url}?locale=en`)
    await sendByHand(page, '000000')
    await page.getByRole('heading', { name: 'Locked for a while.' }).waitFor()
  })

  test('without a script the budget can then be read as a PDF', async () => {
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

  test('the session\'s cookie is the same as by the API; the other one holds no code and goes to this page only', async () => {
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

  test('another site cannot send it', async () => {
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

describe('the code', () => {
  test('a wrong one says how many attempts are left, keeps what was typed and stays in the field', async () => {
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

  test.each(['12a4', '123', '123456789', ''])('%j is refused without asking the server', async (typed) => {
    const budget = await aSentBudget(instance)
    const { page, requests } = await aVisit(browser)
    await page.goto(`${budget.url}?locale=en`)
    await enterCode(page, typed)
    await page.getByText('Enter 4 to 8 digits.').waitFor()
    expect(requests.filter(request => request.method === 'POST')).toEqual([])
  })

  test('the fifth wrong one locks: time left, the clinic\'s phone, and the way back after an unlock', async () => {
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

  test('while it is locked the page asks by itself and opens when the clinic unlocks; "Try again" asks at once', async () => {
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

  test('when the time is over the form is there again, also when the first answer is lost on the way', async () => {
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

  test('what was typed before the page was ready stays, and cannot leave by the address', async () => {
    const budget = await aSentBudget(instance)
    const { page, release } = await aVisitWithoutScript()
    await page.goto(`${budget.url}?locale=en`, { waitUntil: 'commit' })
    await page.locator('#code').fill('4829')
    release()
    await isAlive(page)
    expect(await page.locator('#code').inputValue()).toBe('4829')
    expect(page.url()).not.toContain('4829')
  })

  test('a session that is still open needs no code', async () => {
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
