import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PHONE, theBrowser } from '../../support/browser/browser.ts'
import { choose, createBudgetDetail, dialog, reasonAgainst } from '../../support/browser/budget-detail.ts'
import { aDraft, aSentBudget, BUDGETS } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'

let instance: Built
let browser: Browser
let on: ReturnType<typeof createBudgetDetail>
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  on = createBudgetDetail(instance, browser)
})
afterAll(() => instance?.close())

describe('the decision in the clinic', () => {
  test('is signed by the patient with a drawing, and the signed-in user is recorded as the witness', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await on.openDetail(budget)
    await page.getByRole('button', { name: 'Accept in the clinic' }).first().click()
    await dialog(page).getByRole('radio', { name: 'By drawing' }).check()
    const canvas = page.locator('canvas')
    await canvas.waitFor()
    await dialog(page).getByRole('button', { name: 'Confirm and accept' }).click()
    await dialog(page).getByText('Draw your signature, or choose another way to sign.').waitFor()

    await canvas.scrollIntoViewIfNeeded()
    const box = (await canvas.boundingBox())!
    await page.mouse.move(box.x + 30, box.y + 80)
    await page.mouse.down()
    for (let step = 1; step <= 20; step++)
      await page.mouse.move(box.x + 30 + step * 9, box.y + 80 + 30 * Math.sin(step / 2))
    await page.mouse.up()
    await dialog(page).getByRole('checkbox').check()
    await dialog(page).getByRole('button', { name: 'Confirm and accept' }).click()

    await page.getByRole('img', { name: 'Drawn signature of Lucía Muñoz' }).waitFor()
    expect((await on.detail(budget)).decision).toMatchObject({
      via: 'in_clinic',
      method: 'drawn',
      witness: { name: 'Rosa receptionist' }
    })
  })

  test('keeps typed text while the budget changes below it, and shows a decision that was made first', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await on.openDetail(budget)
    await choose(page, 'Decline in the clinic')
    await dialog(page).getByLabel('Explain in a few words').fill('Too dear for us')
    await on.acceptByLink(budget)
    await page.getByText('Lucía accepted this budget.').first().waitFor({ state: 'attached' })
    expect(await dialog(page).getByLabel('Explain in a few words').inputValue()).toBe('Too dear for us')

    await dialog(page).getByRole('button', { name: 'Confirm and decline' }).click()
    await dialog(page).getByText('This budget has already been accepted or declined.').waitFor()
    expect((await on.detail(budget)).status).toBe('accepted')
  })

  test('needs the patient\'s own words for a rejection', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await on.openDetail(budget)
    await choose(page, 'Decline in the clinic')
    await dialog(page).getByRole('button', { name: 'Confirm and decline' }).click()
    await dialog(page).getByText('Choose a reason, or write one.').waitFor()
    await dialog(page).getByLabel('Explain in a few words').fill('A second opinion first')
    await dialog(page).getByRole('radio', { name: 'I want a second opinion' }).check()
    await dialog(page).getByRole('button', { name: 'Confirm and decline' }).click()
    await page.getByRole('heading', { name: 'Decision' }).waitFor()
    await page.getByText('A second opinion first').waitFor()
  })
})

describe('a forbidden action', () => {
  const offered = (page: Page) =>
    page.getByRole('group', { name: 'Actions' }).locator('a, button').evaluateAll(all =>
      all.map(one => one.textContent!.trim())
    )

  test('is not in the menu when the state forbids it', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await on.openDetail(budget)
    await page.getByRole('button', { name: 'Accept in the clinic', exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    expect(await offered(page)).toEqual([
      'Resend',
      'Sign on another device',
      'Accept in the clinic',
      'Decline in the clinic',
      'Preview as patient',
      'Unsigned PDF',
      'Set code',
      'Create new link',
      'Revise',
      'Duplicate',
      'Save as template',
      'Cancel budget'
    ])
    await on.acceptByLink(budget)
    const { page: after } = await on.openDetail(budget)
    await after.getByRole('button', { name: 'More' }).click()
    expect(await offered(after)).not.toContain('Revise')
    expect(await offered(after)).toContain('Duplicate')
  })

  test('shows the reason when a permission is missing', async () => {
    const { page } = await on.openDetail(await aSentBudget(instance), { role: 'assistant' })
    await page.getByRole('button', { name: 'More' }).click()
    for (const action of [
      'Resend',
      'Accept in the clinic',
      'Decline in the clinic',
      'Set code',
      'Create new link',
      'Revise',
      'Duplicate',
      'Save as template',
      'Cancel budget'
    ]) {
      expect(await reasonAgainst(page, action)).toBe('Permission denied: budget.write')
    }
    await page.getByRole('group', { name: 'Actions' }).getByRole('link', { name: 'Preview as patient' }).waitFor()
  })

  test('shows the reason on a touch screen too, where hovering is impossible', async () => {
    const { page } = await on.openDetail(await aDraft(instance), {
      role: 'assistant',
      viewport: PHONE,
      hasTouch: true,
      isMobile: true
    })
    // Its name includes that it is disabled, but it can be pressed.
    await page.getByRole('button', { name: 'Send', exact: true }).tap({ force: true })
    await page
      .locator('[data-reka-popper-content-wrapper]')
      .getByText('Permission denied: budget.write')
      .first()
      .waitFor()
  })

  test('is refused for an unknown budget and for one of another clinic', async () => {
    const { page } = await on.openDetail({ id: '00000000-0000-4000-8000-000000000000' })
    await page.getByText('Budget not found').waitFor()
    const other = await instance.anotherClinic()
    const foreign = await on.openDetail(await aSentBudget(instance), { role: 'admin', clinic: other })
    await foreign.page.getByText('Budget not found').waitFor()
  })
})

describe('the versions of a budget', () => {
  test('are shown side by side with their differences after a revision', async () => {
    const budget = await aSentBudget(instance)
    const revised = (await on.staffCall(`${BUDGETS}/${budget.id}/revise`)).body.data
    await (
      await instance.as('admin')
    ).patch(`${BUDGETS}/${revised.id}`, { global_discount: { type: 'percent', value: '10' } })
    const { page } = await on.openDetail(revised)
    await page.getByRole('button', { name: 'Show changes Version 1' }).click()
    const difference = page.getByRole('group', { name: 'Changes from version 1 to version 2' })
    await difference.getByText('Discount on the total').waitFor()
    expect(await difference.getByText('€108.90').count()).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Version 1' }).click()
    await page.getByRole('button', { name: 'Show changes Version 2' }).waitFor()
  })

  test('allow the revision of a cancelled budget and the deletion of a draft', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await on.openDetail(budget)
    await choose(page, 'Cancel budget')
    await dialog(page).getByLabel('Reason').fill('The patient moved away')
    await dialog(page).getByRole('button', { name: 'Cancel budget' }).click()
    await page.getByText('The patient moved away').waitFor()
    await choose(page, 'Revise')
    await page.waitForURL(/\/edit$/)

    const draft = await aDraft(instance)
    const other = await on.openDetail(draft)
    await choose(other.page, 'Delete draft')
    await dialog(other.page).getByRole('button', { name: 'Delete draft' }).click()
    await other.page.waitForURL(`${instance.url}/budgets`)
  })
})
