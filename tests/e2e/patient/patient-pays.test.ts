import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { mailsTo } from '../../support/accounts.ts'
import { findOverflow } from '../../support/browser/accessibility.ts'
import { aBrowser, aVisit } from '../../support/browser/browser.ts'
import { SECRET, stop } from '../../support/browser/built-server.ts'
import { anOwnServer, type OwnServer } from '../../support/browser/own-server.ts'
import { enterCode, isAlive } from '../../support/browser/patient-page.ts'
import { aStaffVisit, expectAccessible, visitPage } from '../../support/browser/staff-page.ts'
import { watchTransfers } from '../../support/browser/transfers.ts'
import { aPatient, aSentBudget, aTreatment, eventually } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { svc } from '../../support/cli.ts'
import { ADVANCES } from '../../support/documents/advances.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { aPdfDesk, withPoppler } from '../../support/documents/pdf-tools.ts'
import { root } from '../../support/modules/official.ts'
import { aStripe } from '../../support/providers/stripe.ts'

const SMALL = { width: 390, height: 844 }
const REQUESTS = '/api/v1/payments/requests'
/** 30 % of 820.80. */
const DEPOSIT = '246.24'
const TOTAL = '820.80'

let own: OwnServer
let browser: Browser
let staff: Caller
let stripe: Awaited<ReturnType<typeof aStripe>>
const desk = aPdfDesk()
beforeAll(async () => {
  own = await anOwnServer({ SVC_WEBHOOK_ALLOW_PRIVATE: 'true' })
  browser = await aBrowser()
  const { storage } = own.built
  const env = { SVC_ROOT: root, DATABASE_URL: own.databaseUrl, SVC_STORAGE: storage, SVC_SECRET: SECRET }
  for (const name of ['payments', 'sms']) {
    const { code, stderr } = await svc(['modules', 'install', name], { env })
    if (code !== 0) throw new Error(stderr)
  }
  await stop(own.process)
  await own.startAgain()
  staff = await own.built.as('admin')
})
beforeEach(async () => {
  stripe = await aStripe()
  stripe.webhook_url = `${own.built.url}/api/v1/public/payments/webhooks/${own.built.clinic.id}/stripe`
})
afterEach(() => stripe.close())
afterAll(async () => {
  desk.close()
  await browser?.close()
  await own?.close()
})

const save = async (settings: object) => {
  const { status, body } = await staff.patch('/api/v1/clinic/settings/payments', {
    deposit: 'percent', deposit_percent: '30', ...settings
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** A budget of 520.80, with a choice between 200.00 and 300.00. */
async function anOffer(fields: Record<string, unknown> = {}, send: Record<string, unknown> = {}) {
  const [base, bridge, implant] = await Promise.all(
    ['520.80', '200.00', '300.00'].map(unit_price => aTreatment(staff, { unit_price, vat: '0' }))
  )
  return await aSentBudget(own.built, {
    ...fields,
    items: [{ treatment_id: base.id }],
    choices: [{
      title: 'The gap',
      rule: 'exactly_one',
      options: [
        { title: 'Bridge', items: [{ treatment_id: bridge.id }] },
        { title: 'Implant', items: [{ treatment_id: implant.id }] }
      ]
    }]
  }, send)
}
type Budget = Awaited<ReturnType<typeof anOffer>>

/** The link comes by SMS, and the code by email. Without providers, both messages are files. */
async function anOfferByMessages() {
  await staff.patch('/api/v1/clinic', { country: 'ES' })
  const codeBy = (code_by: string) => staff.patch('/api/v1/clinic/settings/budget', { code_by })
  expect((await codeBy('email')).status).toBe(200)
  onTestFinished(() => codeBy('clinic').then(() => {}))
  const email = `${randomUUID()}@patient.test`
  const { id: patient_id } = await aPatient(staff, { phone: '611 223 344', email, locale: 'en' })
  const before = textMessages()
  const budget = await anOffer({ patient_id }, { channel: 'sms' })
  const message = await eventually(async () => textMessages().find(text => !before.includes(text)), 'the text message')
  expect(message).not.toContain(budget.code)

  const visit = await aVisit(browser, { viewport: SMALL })
  await visit.page.goto(/https?:\/\/\S+/.exec(message)![0])
  await visit.page.getByRole('button', { name: 'Send me a code' }).click()
  const mail = await eventually(async () => (await mailsTo(own.built.storage, email))[0], 'the email')
  const plain = mail.split('text/plain')[1]!.split(/\r?\n--/)[0]!
  await visit.page.locator('#code').fill(/\b\d{6}\b/.exec(plain)![0])
  await visit.page.locator('#code').press('Enter')
  await visit.page.locator('.budget').waitFor()
  return { budget, ...visit }
}

/** Those of the outbox. */
function textMessages(): string[] {
  const outbox = join(own.built.storage, 'outbox')
  const files = (existsSync(outbox) ? readdirSync(outbox) : []).filter(name => name.endsWith('.txt'))
  return files.map(file => readFileSync(join(outbox, file), 'utf8'))
}

/** Accepts the budget with the implant. Returns the request, which comes a moment later. */
async function accept(page: Page, budget: Budget) {
  await page.getByText(/30\s?%/).first().waitFor() // the condition is in the budget's own language
  await page.getByRole('radio', { name: 'Implant' }).check()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Confirm and accept' }).click()
  await page.getByRole('heading', { name: /Thank you/ }).waitFor()
  const request = await eventually(
    async () => (await staff.get(`${REQUESTS}?budget_id=${budget.id}`)).body.data[0],
    'the request of the deposit'
  )
  expect(request).toMatchObject({ kind: 'deposit', state: 'open', amount: DEPOSIT })
  await page.reload()
  return request
}

withPoppler('at 390 px a patient pays the deposit of an accepted choice; all places agree to the cent', async () => {
  await save(stripe.settings)
  const { budget, page, complaints } = await anOfferByMessages()
  await accept(page, budget)

  // At the provider's page, and back.
  await page.getByRole('link', { name: `Pay €${DEPOSIT}` }).click()
  await page.getByText('EUR 24624').waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(url => url.pathname.startsWith('/p/budget/'))
  await page.getByRole('heading', { name: 'Deposit', level: 2 }).waitFor()
  await expect.poll(async () => await page.locator('main').textContent()).toMatch(/Paid/)
  expect(await findOverflow(page)).toEqual([])
  expect(complaints).toEqual([])

  const request = await eventually(
    async () => (await staff.get(`${REQUESTS}?budget_id=${budget.id}&state=paid`)).body.data[0],
    'the paid request'
  )
  expect(request).toMatchObject({ amount: DEPOSIT, method: 'card', attention: [] })
  const { body: { data: { attempts } } } = await staff.get(`${REQUESTS}/${request.id}`)
  expect(stripe.charges(attempts[0].id)).toBe(1)

  const clinic = await aStaffVisit(browser, own.built, { role: 'receptionist', viewport: SMALL })
  await visitPage(clinic.page, `${own.built.url}/budgets/${budget.id}`)
  const section = clinic.page.getByRole('region', { name: 'Payment requests' })
  await section.getByText(`€${DEPOSIT}`).first().waitFor()
  await section.getByText('Stripe · Test mode · Card').waitFor()
  await expectAccessible(clinic.page)

  const advance = await eventually(
    async () => (await staff.get(`${ADVANCES}?budget_id=${budget.id}`)).body.data[0],
    'the advance'
  )
  expect(advance).toMatchObject({ amount: DEPOSIT, balance: DEPOSIT, method: 'card' })
  const receipt = await staff.get(`${ADVANCES}/${advance.id}/pdf`)
  expect((await desk.text(receipt.bytes)).replaceAll(',', '.')).toContain(DEPOSIT)

  const draft = await eventually(
    async () => (await staff.get(`${INVOICES}?budget_id=${budget.id}`)).body.data[0],
    'the draft invoice'
  )
  await staff.post(`${INVOICES}/${draft.id}/issue`)
  const invoice = (await staff.get(`${INVOICES}/${draft.id}`)).body.data
  expect(invoice).toMatchObject({ total: TOTAL, due: '574.56' })
  expect(invoice.payments.map(({ amount }: { amount: string }) => amount)).toEqual([DEPOSIT])
  const pdf = (await desk.text((await staff.get(`${INVOICES}/${draft.id}/pdf`)).bytes)).replaceAll(',', '.')
  for (const sum of [TOTAL, DEPOSIT, '574.56']) expect(pdf).toContain(sum)
  await visitPage(clinic.page, `${own.built.url}/invoices/${draft.id}`)
  await clinic.page.getByText('€574.56').first().waitFor()
})

test('a patient scans the code of a transfer, and the clinic marks it as paid', async () => {
  await save({ provider: 'transfer', iban: 'ES91 2100 0418 4502 0005 1332', creditor: 'Clínica Peñalver' })
  const { budget, page, complaints } = await anOfferByMessages()
  const { id, reference } = await accept(page, budget)
  await page.getByRole('link', { name: `Pay €${DEPOSIT}` }).click()
  await page.waitForURL(url => url.pathname.startsWith('/pay/'))
  await isAlive(page)
  await page.getByText('ES91 2100 0418 4502 0005 1332').waitFor()

  const code = page.getByRole('img', { name: 'QR code of the transfer' })
  await expect.poll(() => code.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  const { data, width, height } = PNG.sync.read(await code.screenshot())
  expect(jsQr.default(new Uint8ClampedArray(data), width, height)?.data.split('\n')).toEqual([
    'BCD', '002', '1', 'SCT', '', 'Clínica Peñalver', 'ES9121000418450200051332', `EUR${DEPOSIT}`, '', '', reference, ''
  ])
  expect(await findOverflow(page)).toEqual([])
  await expectAccessible(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy: Account (IBAN)' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('ES9121000418450200051332')

  const plain = await aVisit(browser, { javaScriptEnabled: false, viewport: SMALL })
  const { headers } = { headers: (await plain.page.goto(page.url()))!.headers() }
  expect([headers['cache-control'], headers['x-robots-tag']]).toEqual(['no-store', 'noindex'])
  for (const text of ['ES91 2100 0418 4502 0005 1332', 'Clínica Peñalver', reference, `€${DEPOSIT}`])
    await plain.page.getByText(text, { exact: true }).first().waitFor()

  const clinic = await aStaffVisit(browser, own.built, { role: 'receptionist', viewport: SMALL })
  await visitPage(clinic.page, `${own.built.url}/payments/${id}`)
  await clinic.page.getByRole('button', { name: 'Mark as paid' }).click()
  await clinic.page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click()
  await clinic.page.getByText('Recorded by the clinic · Bank transfer').waitFor()
  await page.reload()
  await page.getByText('Paid. Thank you!').waitFor()
  const [advance] = (await staff.get(`${ADVANCES}?budget_id=${budget.id}`)).body.data
  expect(advance).toMatchObject({ amount: DEPOSIT, method: 'transfer' })
  expect(complaints).toEqual([])
})

test('with both modules installed, the page of a budget needs no more bytes than without them', async () => {
  const budget = await aSentBudget(own.built)
  const { page } = await aVisit(browser, { viewport: SMALL })
  const transfers = await watchTransfers(page)
  await page.goto(budget.url)
  await enterCode(page, budget.code)
  await page.locator('.budget').waitFor()
  await page.waitForLoadState('networkidle')
  const { all, scripts, styles } = transfers()
  expect(all).toBeLessThanOrEqual(200_000)
  expect(scripts).toBeLessThanOrEqual(90_000)
  expect(styles).toBeLessThanOrEqual(15_000)
})
