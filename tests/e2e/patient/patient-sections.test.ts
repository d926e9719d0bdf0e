import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { everything, findOverflow, violations } from '../../support/browser/accessibility.ts'
import { aVisit, DESK, PHONE, theBrowser } from '../../support/browser/browser.ts'
import { SECRET, stop } from '../../support/browser/built-server.ts'
import { anOwnServer, type OwnServer } from '../../support/browser/own-server.ts'
import { openBudget } from '../../support/browser/patient-page.ts'
import { aPatient, aSentBudget } from '../../support/builders.ts'
import { svc } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'
import { writeModule } from '../../support/modules/modules.ts'

/** A package without a layer: its section, its payment link and its channel need no build. */
const DEPOSITS = {
  depends: ['budget'],
  code: `export default {
    channels: {
      pager: {
        label: 'Pager',
        isReady: () => ({ ready: true }),
        addressOf: (ctx, { phone }) => phone,
        hides: address => '•••' + address.slice(-2),
        send: () => ({ ref: 'page' })
      }
    },
    public_sections: {
      'budget.patient': (ctx, { state, token_base }) => [{
        id: 'deposit',
        title: state === 'accepted' ? 'Deposit due' : 'Deposit at acceptance',
        text: 'You pay a part of it now.\\nThe rest is due after the <b>treatment</b>.',
        facts: [['Due', '50.00 €'], ['Reference', 'ES9121000418450200051332'.repeat(2)]],
        image: { src: token_base + '/x/deposits/qr', alt: 'QR code of the transfer', width: 240, height: 240 },
        actions: [
          { label: 'Pay the deposit', href: token_base + '/x/deposits/pay', kind: 'primary' },
          { label: 'Read the terms', href: '/api/v1/public/deposits/terms', kind: 'secondary' }
        ]
      }]
    }
  }`,
  endpoints: {
    'public/budgets/[token]/x/deposits/pay.get.js': `{
      access: 'budget.link',
      summary: 'To the payment.',
      handle: ({ request: { session } }, ctx) => ctx.reply({ body: 'Paying ' + session.budget_id })
    }`,
    'public/budgets/[token]/x/deposits/qr.get.js': `{
      access: 'budget.link',
      summary: 'A picture.',
      handle: (_, ctx) => ctx.reply({
        body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h3v3H1z"/></svg>',
        headers: { 'content-type': 'image/svg+xml' }
      })
    }`
  }
}

let own: OwnServer
let browser: Browser
beforeAll(async () => {
  own = await anOwnServer()
  browser = await theBrowser()
  const { storage } = own.built
  writeModule(join(storage, 'modules/node_modules/svc-module-deposits'), 'deposits', DEPOSITS)
  const env = { SVC_ROOT: root, DATABASE_URL: own.databaseUrl, SVC_STORAGE: storage, SVC_SECRET: SECRET }
  const { code, stderr } = await svc(['modules', 'install', 'deposits'], { env })
  if (code !== 0) throw new Error(stderr)
  await stop(own.process)
  await own.startAgain()
})
afterAll(() => own?.close())

const picture = (page: Page) => page.getByRole('img', { name: 'QR code of the transfer' })
const isDrawn = (page: Page) =>
  picture(page).evaluate(image => (image as HTMLImageElement).complete && (image as HTMLImageElement).naturalWidth > 0)
const above = (first: { y: number } | null, second: { y: number } | null) => first!.y < second!.y

describe('a section of a module on the patient\'s page', () => {
  test.each([
    ['on a phone', PHONE], ['on a desktop', DESK]
  ])('is between total and questions while the budget is open, %s', async (_, viewport) => {
    const budget = await aSentBudget(own.built)
    const { page, complaints } = await openBudget(browser, budget, { viewport })
    const section = page.getByRole('heading', { name: 'Deposit at acceptance' })
    await section.waitFor()
    const box = await section.boundingBox()
    if (viewport === PHONE) expect(above(await page.locator('.total').boundingBox(), box)).toBe(true)
    expect(above(box, await page.locator('#question').boundingBox())).toBe(true)
    expect(await page.getByText('after the <b>treatment</b>').count()).toBe(1)
    await expect.poll(() => isDrawn(page)).toBe(true)
    expect(await findOverflow(page)).toEqual([])
    expect(await violations(everything(page))).toEqual([])
    expect(complaints).toEqual([])
  })

  test('is below the result after the decision', async () => {
    const budget = await aSentBudget(own.built)
    const { page } = await openBudget(browser, budget)
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('radio', { name: 'The price' }).check()
    await page.getByRole('button', { name: 'Confirm and decline' }).click()
    await page.getByRole('heading', { name: 'You declined this budget.' }).waitFor()
    const section = page.getByRole('heading', { name: 'Deposit at acceptance' })
    const outcome = page.locator('h1[data-place]')
    await page.locator('.budget-head').getByRole('heading', { name: 'Deposit at acceptance' }).waitFor()
    expect(above(await outcome.boundingBox(), await section.boundingBox())).toBe(true)
    expect(above(await section.boundingBox(), await page.locator('.total').boundingBox())).toBe(true)
    expect(await section.count()).toBe(1)
  })

  test('leads to the module\'s endpoint with the patient\'s session', async () => {
    const budget = await aSentBudget(own.built)
    const { page } = await openBudget(browser, budget)
    const link = page.getByRole('link', { name: 'Pay the deposit' })
    const [answer] = await Promise.all([
      page.waitForResponse(response => response.url().endsWith('/x/deposits/pay')),
      link.click({ noWaitAfter: true })
    ])
    expect(answer.status()).toBe(200)
  })

  test('works on a phone after a code by its channel, with a condition of the clinic before the total', async () => {
    const staff = await own.built.as('admin')
    const save = (change: object) => staff.patch('/api/v1/clinic/settings/budget', change)
    const text = `Cancel a day before.\n${'Otherwise we charge the visit. '.repeat(12)}${'w'.repeat(80)}`
    await save({ code_by: 'pager', clauses: [{ id: 'late', title: { en: 'Late visits' }, text: { en: text }, by_default: true }] })
    onTestFinished(() => save({ code_by: 'clinic', clauses: [] }).then(() => {}))
    const patient_id = (await aPatient(staff, { phone: '+34600000034', locale: 'en' })).id
    const budget = await aSentBudget(own.built, { patient_id })

    const { page, complaints } = await aVisit(browser, { viewport: PHONE })
    await page.goto(`${budget.url}?locale=en`)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByText('We sent a code to •••34.').waitFor()
    expect(await findOverflow(page)).toEqual([])
    expect(await violations(everything(page))).toEqual([])
    await page.locator('#code').fill(budget.code)
    await page.locator('#code').press('Enter')
    const condition = page.getByRole('heading', { name: 'Late visits' })
    await condition.waitFor()
    expect(above(await condition.boundingBox(), await page.locator('.total').boundingBox())).toBe(true)
    expect(await page.getByRole('heading', { name: 'Deposit at acceptance' }).count()).toBe(1)
    expect(await findOverflow(page)).toEqual([])
    expect(await violations(everything(page))).toEqual([])
    expect(complaints).toEqual([])
  })

  test('works without a script: the payment link is available after the code', async () => {
    const budget = await aSentBudget(own.built)
    const { page, context } = await aVisit(browser, { javaScriptEnabled: false })
    await page.goto(`${budget.url}?locale=en`)
    expect(await page.getByText('Deposit').count()).toBe(0)
    await page.locator('#code').fill(budget.code)
    await page.locator('#code').press('Enter')
    await page.getByRole('heading', { name: 'Deposit at acceptance' }).waitFor()
    await expect.poll(() => isDrawn(page)).toBe(true)
    const href = (await page.getByRole('link', { name: 'Pay the deposit' }).getAttribute('href'))!
    const answer = await context.request.get(new URL(href, own.built.url).href)
    expect([answer.status(), await answer.text()]).toEqual([200, `Paying ${budget.id}`])

    // The session cookie is limited to the API again, and the page has stored nothing.
    const cookies = await context.cookies([budget.url, new URL(budget.base, own.built.url).href])
    expect(cookies.map(({ name, path }) => [name, path])).toEqual([['budget_session', budget.base]])
    expect(await page.content()).not.toContain(cookies[0]!.value)
    await page.reload()
    expect(await page.getByText('Deposit').count()).toBe(0)
    const [row] = await own.built.sql`select viewed_at from budget where id = ${budget.id}`
    expect(row).toEqual({ viewed_at: null })
  })
})
