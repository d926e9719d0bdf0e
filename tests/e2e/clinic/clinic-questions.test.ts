import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { choose, createBudgetDetail, dialog } from '../../support/browser/budget-detail.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectAccessible, visitPage } from '../../support/browser/staff-page.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../../support/builders.ts'
import { INVOICES } from '../../support/documents/invoices.ts'

let instance: Built
let browser: Browser
let on: ReturnType<typeof createBudgetDetail>
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  on = createBudgetDetail(instance, browser)
})
afterAll(() => instance?.close())

test('a patient\'s question is shown in the list and on the page, and answered there', async () => {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  const { page, complaints } = await on.openDetail(budget)
  await patient.post(`${budget.base}/messages`, { text: 'Does it hurt?' })
  await page.getByText('Lucía asked a question.').waitFor()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.getByText('Does it hurt?').waitFor()
  const field = page.getByRole('textbox', { name: 'Message to the patient' })
  await expect.poll(() => field.evaluate(element => element === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByText('Write a message first.').waitFor()
  await field.fill('Not at all.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.locator('#messages li', { hasText: 'Not at all.' }).waitFor()
  await page.getByRole('button', { name: 'Answer', exact: true }).waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('')
  expect((await patient.get(`${budget.base}/messages`)).body.data.map(({ text }: { text: string }) => text)).toEqual([
    'Does it hurt?',
    'Not at all.'
  ])

  await patient.post(`${budget.base}/messages`, { text: 'Thank you.' })
  await page.getByRole('button', { name: 'Mark as read' }).click()
  await page.getByRole('button', { name: 'Mark as read' }).waitFor({ state: 'detached' })
  expect(await on.detail(budget)).toMatchObject({ open_questions: 0 })
  expect(complaints).toEqual([])
})

test('an acceptance is withdrawn with a reason that the patient sees too, and its invoice is cancelled', async () => {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  await patient.post(`${budget.base}/accept`, ACCEPTANCE)
  const invoice = async () =>
    (await (await instance.as('admin')).get(`${INVOICES}?budget_id=${budget.id}`)).body.data[0]
  await eventually(invoice, 'the draft invoice')
  const { page, complaints } = await on.openDetail(budget)
  await choose(page, 'Withdraw acceptance')
  await dialog(page).getByRole('button', { name: 'Withdraw acceptance' }).click()
  await dialog(page).getByText('Write down the reason.').waitFor()
  await dialog(page).getByRole('radio', { name: 'A representative' }).check()
  await dialog(page).getByRole('textbox').fill('The family moves away.')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Withdraw acceptance' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText(/^Withdrawn on /).first().waitFor()
  await page.getByText('The family moves away.').first().waitFor()
  await eventually(async () => (await invoice()).status === 'cancelled', 'the cancellation')

  const { page: list } = await aStaffVisit(browser, instance, { role: 'receptionist' })
  await visitPage(list, `${instance.url}/budgets?search=${budget.number}`)
  await list.getByText(/^Withdrawn on /).waitFor()
  const view = (await patient.get(budget.base)).body.data
  expect(view).toMatchObject({ status: 'accepted', withdrawn_at: expect.any(String) })
  expect(complaints).toEqual([])
})
