import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { openBudget } from '../../support/browser/patient-page.ts'
import { expectAccessible } from '../../support/browser/staff-page.ts'
import { aSentBudget, BUDGETS, eventually } from '../../support/builders.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { aPdfDesk, withPoppler } from '../../support/documents/pdf-tools.ts'
import { aCatalog, offers, type Treatments } from '../../support/offers.ts'

let instance: Built
let browser: Browser
let treatments: Treatments
const desk = aPdfDesk()
const { offer } = offers(() => treatments)
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  treatments = await aCatalog(await instance.as('admin'))
})
afterAll(async () => {
  desk.close()
  await instance?.close()
})

withPoppler('at 390 px a patient compares, takes an extra, asks, reads the answer and signs; all places agree', async () => {
  const staff = await instance.as('admin')
  const budget = await aSentBudget(instance, offer({ global_discount: { type: 'amount', value: '30.00' } }))
  const { page, complaints } = await openBudget(browser, budget, { viewport: { width: 390, height: 844 } })
  const bar = page.locator('.decision-total strong')

  // Two alternatives, one after the other, and the extra.
  await page.getByRole('radio', { name: 'Bridge' }).check()
  await expect.poll(() => bar.textContent()).toContain('€270.00')
  await page.getByRole('radio', { name: 'Implant' }).check()
  await expect.poll(() => bar.textContent()).toContain('€370.00')
  await page.getByRole('checkbox', { name: 'Whitening' }).check()
  await expect.poll(() => bar.textContent()).toContain('€420.00')

  // Many patients who only have a question press "Decline" first.
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('button', { name: 'Ask a question instead' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('question')
  await page.getByRole('button', { name: 'Send question' }).click()
  await page.getByText('Write your question first.').waitFor()
  await page.getByLabel('Your question').fill('How long does the implant last?')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send question' }).click()
  await page.getByText('The answer appears here.').waitFor()
  await page.locator('li', { hasText: 'How long does the implant last?' }).waitFor()
  expect(await page.getByLabel('Your question').inputValue()).toBe('')

  const { data: [waiting] } = (await staff.get(`${BUDGETS}?attention=question`)).body
  expect(waiting.id).toBe(budget.id)
  await staff.post(`${BUDGETS}/${budget.id}/messages`, { text: 'Twenty years and more.' })
  await page.reload()
  await page.locator('li', { hasText: 'Twenty years and more.' }).waitFor()
  await expect.poll(() => bar.textContent()).toContain('€420.00')

  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('accept it for €420.00').waitFor()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Confirm and accept' }).click()
  await page.getByRole('heading', { name: /Thank you/ }).waitFor()
  await page.locator('.total-sum', { hasText: '€420.00' }).waitFor()

  const total = '420.00'
  const detail = (await staff.get(`${BUDGETS}/${budget.id}`)).body.data
  expect(detail).toMatchObject({ status: 'accepted', totals: { total }, open_questions: 0, proof_faults: [] })
  const prices = [detail.items, ...detail.choices.flatMap(({ options }: any) => options.map(({ items }: any) => items))]
    .flat().map(({ price }) => price)
  expect(prices).toEqual(['93.33', '280.00', '46.67'])
  const [record] = await instance.sql`select content, consent_text from budget_signature where budget_id = ${budget.id}`
  expect(JSON.parse(record!.content)).toMatchObject({ totals: { total }, selection: detail.selection })
  expect(record!.consent_text).toContain(total)
  const [event] = await instance.sql`
    select payload from core_event where name = 'budget.accepted' and payload->>'budget_id' = ${budget.id}`
  expect(event!.payload).toMatchObject({ total, selection: detail.selection })
  expect(event!.payload.items.map((item: { price: string }) => item.price)).toEqual(prices)
  const invoice = await eventually(
    async () => (await staff.get(`${INVOICES}?budget_id=${budget.id}`)).body.data[0],
    'the draft invoice'
  )
  expect(invoice.total).toBe(total)
  expect((await staff.get('/api/v1/reports/acceptance')).body.data.totals.accepted_amount).toBe(total)

  await page.getByRole('link', { name: 'Download signed PDF' }).waitFor()
  const pdf = await staff.get(`${BUDGETS}/${budget.id}/pdf/signed`)
  const [taken, left] = (await desk.text(pdf.bytes)).split(/Offered and not chosen|Propuesto y no elegido/)
  for (const price of [...prices, total]) expect(taken!.replaceAll(',', '.')).toContain(price)
  expect(taken).toContain('For 300.00')
  expect(left).toContain('Bridge')
  expect(complaints).toEqual([])
})
