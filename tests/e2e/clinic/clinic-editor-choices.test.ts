import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aDraft, aTreatment, BUDGETS } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectAccessible, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

/** A draft with these treatments, open in the editor. */
async function editing(...names: string[]) {
  const staff = await instance.as('admin')
  const treatments = await Promise.all(names.map(name => aTreatment(staff, { name: { en: name }, unit_price: '100.00', vat: '0' })))
  const draft = await aDraft(instance, { items: treatments.map(({ id }) => ({ treatment_id: id })) })
  const { page, complaints } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
  return { page, draft, complaints }
}
const detail = async (id: string) => (await (await instance.as('admin')).get(`${BUDGETS}/${id}`)).body.data
const lineOf = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^Line \\d+: ${name}$`) })
const save = async (page: Page, draft: { id: string }) => {
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(new RegExp(`/budgets/${draft.id}$`))
  return await detail(draft.id)
}
const shape = ({ items, choices }: any) => ({
  items: items.map(({ name }: any) => name),
  choices: (choices ?? []).map(({ title, rule, options }: any) =>
    [title, rule, options.map((option: any) => [option.title, option.items.map(({ name }: any) => name)])])
})

test('selected treatments become options of a choice, and the total is shown as a range', async () => {
  const { page, draft, complaints } = await editing('Cleaning', 'Implant', 'Bridge')
  await page.getByRole('button', { name: 'Add options' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'What does the patient choose?' }).fill('The missing tooth')
  await dialog.getByRole('checkbox', { name: 'Implant' }).check()
  await dialog.getByRole('checkbox', { name: 'Bridge' }).check()
  await dialog.getByRole('button', { name: 'Add options' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await page.locator('[data-total]').textContent())!.trim()).toBe('€200.00')
  await page.getByRole('checkbox', { name: 'Recommended' }).first().check()
  await expectAccessible(page)
  const saved = await save(page, draft)
  expect(shape(saved)).toEqual({
    items: ['Cleaning'],
    choices: [['The missing tooth', 'exactly_one', [['Implant', ['Implant']], ['Bridge', ['Bridge']]]]]
  })
  expect(saved.choices[0].options[0].recommended).toBe(true)
  await page.getByText('The missing tooth').waitFor()

  // The user of the preview chooses as the patient would.
  await visitPage(page, `${instance.url}/budgets/${draft.id}/preview`)
  await page.getByRole('radio', { name: 'Bridge' }).check()
  await page.locator('.total-sum', { hasText: '€200.00' }).waitFor()
  expect(complaints).toEqual([])
})

test('a checkbox makes a treatment optional, and included again', async () => {
  const { page, draft } = await editing('Cleaning', 'Whitening')
  await lineOf(page, 'Whitening').getByRole('checkbox', { name: 'Optional for the patient' }).check()
  await expect.poll(() => page.locator('[data-total]').textContent()).toContain('from €100.00 to €200.00')
  expect(shape(await save(page, draft))).toEqual({
    items: ['Cleaning'],
    choices: [['Whitening', 'at_most_one', [['Whitening', ['Whitening']]]]]
  })
  await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
  await lineOf(page, 'Whitening').getByRole('checkbox', { name: 'Optional for the patient' }).uncheck()
  expect(shape(await save(page, draft))).toEqual({ items: ['Cleaning', 'Whitening'], choices: [] })
})

test('a line is moved into an option and out of it, by keyboard and by its menu', async () => {
  const { page, draft } = await editing('Cleaning', 'Implant', 'Bridge', 'Crown')
  await page.getByRole('button', { name: 'Add options' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('The missing tooth')
  await dialog.getByRole('checkbox', { name: 'Implant' }).check()
  await dialog.getByRole('checkbox', { name: 'Bridge' }).check()
  await dialog.getByRole('button', { name: 'Add options' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The last line of the base moves down into the first option.
  const quantity = lineOf(page, 'Crown').getByLabel('Quantity')
  await quantity.focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('status').getByText('Moved to: Implant').waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await lineOf(page, 'Crown').getByRole('button', { name: 'Move to an option' }).click()
  await dialog.getByRole('radio', { name: 'Bridge' }).check()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('status').getByText('Moved to: Bridge').waitFor()
  expect(shape(await save(page, draft)).choices[0]).toEqual([
    'The missing tooth',
    'exactly_one',
    [['Implant', ['Implant']], ['Bridge', ['Bridge', 'Crown']]]
  ])
})

test('missing data of a choice is reported at its place, and no input is lost', async () => {
  const { page, draft } = await editing('Cleaning')
  await page.getByRole('button', { name: 'Add options' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add options' }).click()
  await dialog.getByText('Enter what the patient chooses.').waitFor()
  await dialog.getByRole('textbox').fill('The gap')
  await dialog.getByRole('button', { name: 'Add options' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Add a treatment to this option.').first().waitFor()
  await page.getByRole('button', { name: 'Remove choice' }).click()
  expect(shape(await save(page, draft))).toEqual({ items: ['Cleaning'], choices: [] })
})

describe('an extra that another person removed', () => {
  /** There are two extras. The first one is removed while this person changes something else. */
  async function aConflict(change: (page: Page) => Promise<void>) {
    const staff = await instance.as('admin')
    const { id: treatment_id } = await aTreatment(staff, { unit_price: '100.00', vat: '0' })
    const extra = (title: string) => ({ title, rule: 'at_most_one', options: [{ title, items: [{ treatment_id }] }] })
    const draft = await aDraft(instance, { items: [{ treatment_id }], choices: [extra('Whitening'), extra('Guard')] })
    const guard = draft.choices[1]
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    await change(page)

    const [{ id, title, items: [{ id: line }] }] = guard.options
    const left = { ...extra('Guard'), id: guard.id, options: [{ id, title, items: [{ id: line, treatment_id }] }] }
    const theirs = await (await instance.as('dentist')).patch(`${BUDGETS}/${draft.id}`, { choices: [left] })
    expect(theirs.status).toBe(200)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Save mine anyway' }).click()
    await page.waitForURL(`${instance.url}/budgets/${draft.id}`)
    return { saved: await detail(draft.id), guard, line }
  }

  test('is saved as a new one if this person changed it, and the others are unchanged', async () => {
    const { saved: { choices }, guard, line } = await aConflict(page =>
      page.locator('[data-choice] input').first().fill('White teeth'))
    expect(choices.map((choice: any) => choice.title)).toEqual(['White teeth', 'Guard'])
    expect([choices[1].id, choices[1].options[0].items[0].id]).toEqual([guard.id, line])
  })

  test('stays removed when a treatment outside the extras was changed', async () => {
    const { saved } = await aConflict(page =>
      page.getByRole('group', { name: /^Line 1:/ }).getByLabel('Quantity').fill('3'))
    expect(saved.choices.map((choice: any) => choice.title)).toEqual(['Guard'])
    expect(saved.items[0].quantity).toBe(3)
  })

  test('stays removed when only notes were changed', async () => {
    const { saved } = await aConflict(page => page.getByLabel('Internal notes').fill('Call first.'))
    expect(saved.choices.map((choice: any) => choice.title)).toEqual(['Guard'])
    expect(saved.internal_notes).toBe('Call first.')
  })
})
