import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aDraft, aPatient, aProfessional, aSentBudget, aTreatment, BUDGETS } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, aWalk, expectAllVariants, visitPage, type Walk } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const detail = async (id: string) => (await (await instance.as('admin')).get(`${BUDGETS}/${id}`)).body.data
const digits = (text: string | null) => text?.replace(/[^\d.]/g, '')
const lineOf = (page: Page, n: number) => page.getByRole('group', { name: new RegExp(`^Line ${n}:`) })
/** The total that the editor shows. */
const total = async (page: Page) => digits(await page.locator('[data-total]').textContent())
/** Until the response arrives, the previous entries cannot be selected. */
const found = (page: Page, name: string) =>
  page.locator('[role=option]:not([data-disabled])', { hasText: name }).waitFor()
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('data-field') ?? document.activeElement?.getAttribute('role')
  )

describe('the editor of a budget', () => {
  test('works by keyboard only, with a discount on a line and on the total, and shows exact amounts', async () => {
    const staff = await instance.as('admin')
    const [cleaning, crown] = [
      await aTreatment(staff, { name: { en: 'Polish with paste' }, unit_price: '33.33', vat: '21' }),
      await aTreatment(staff, { name: { en: 'Zirconia crown' }, unit_price: '412.50', vat: '0' })
    ]
    const patient = await aPatient(staff, { first_name: 'Benita', last_name: 'Quiroga' })
    const { page, complaints } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/new?patient=${patient.id}`)

    const search = page.getByRole('combobox', { name: 'Add a treatment: name or code' })
    await search.focus()
    await page.keyboard.type('Polish')
    await found(page, 'Polish with paste')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+Enter') // Enter alone stays in the search, for the next treatment
    await lineOf(page, 1).waitFor()
    await expect.poll(() => focused(page)).toBe('quantity')
    await page.keyboard.type('3')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('7.5')
    await expect.poll(() => lineOf(page, 1).locator('s').textContent()).toContain('120.99')

    await search.focus()
    await page.keyboard.type(crown.code.toLowerCase())
    await page.keyboard.press('Enter') // at once: the code belongs to one treatment only
    await lineOf(page, 2).waitFor()
    await expect.poll(() => focused(page)).toBe('combobox')

    await page.getByLabel('Discount on the total', { exact: true }).focus()
    await page.keyboard.type('10')
    const shown = await total(page)

    await page.getByRole('button', { name: 'Save draft' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/budgets\/[0-9a-f-]{36}$/)
    const saved = await detail(page.url().split('/').at(-1)!)
    expect(saved.totals.total).toBe(shown)
    expect(saved).toMatchObject({
      patient_id: patient.id,
      global_discount: { type: 'percent', value: '10' },
      professional: null
    })
    expect(saved.items).toMatchObject([
      { treatment_id: cleaning.id, quantity: 3, unit_price: '33.33', discount: { type: 'percent', value: '7.5' } },
      { treatment_id: crown.id, quantity: 1, unit_price: '412.50', discount: null }
    ])
    expect(complaints).toEqual([])
  })

  test('reads amounts as people type them, and reports an unreadable or too large one at once', async () => {
    const draft = await aDraft(instance)
    const { page } = await aStaffVisit(browser, instance, { locale: 'es' })
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    const line = page.getByRole('group', { name: /^Línea 1:/ })

    await line.getByLabel('Precio unitario').fill('1.234,5')
    await line.getByLabel('Precio unitario').blur()
    expect(await line.getByLabel('Precio unitario').inputValue()).toBe('1234,50')
    await expect
      .poll(async () => (await page.locator('[data-total]').textContent())?.replace(/[^\d,]/g, ''))
      .toBe('1493,75')

    await line.getByLabel('Precio unitario').fill('doce')
    // Once at the field, for assistive technology, and once across the row.
    await line.getByText('Esto no es un importe en EUR.').last().waitFor()
    await page.getByText('Total antes del error').first().waitFor()
    expect((await page.locator('[data-total]').textContent())?.replace(/[^\d,]/g, '')).toBe('1493,75')
    await line.getByLabel('Precio unitario').fill('100')

    await page.getByLabel('Descuento sobre el total: porcentaje o importe').selectOption('amount')
    await page.getByLabel('Descuento sobre el total', { exact: true }).fill('121,01')
    await page.getByText('Es más que el total de todos los tratamientos.').waitFor()
    await page.getByRole('button', { name: 'Guardar borrador' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    expect((await detail(draft.id)).totals.total).toBe('121.00')
  })

  test('can move, remove and restore lines, and add a patient without leaving the page', async () => {
    const staff = await instance.as('admin')
    const [one, other] = [
      await aTreatment(staff, { name: { en: 'First thing' } }),
      await aTreatment(staff, { name: { en: 'Second thing' } })
    ]
    const draft = await aDraft(instance, { items: [{ treatment_id: one.id }, { treatment_id: other.id }] })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)

    await lineOf(page, 2).getByRole('button', { name: 'Move up' }).click()
    await page.getByRole('group', { name: 'Line 1: Second thing' }).waitFor()
    await lineOf(page, 2).getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => page.getByRole('group', { name: /^Line/ }).count()).toBe(1)
    await page.getByRole('button', { name: 'Restore' }).press('Enter')
    await page.getByRole('group', { name: 'Line 2: First thing' }).waitFor()

    await page.getByRole('button', { name: 'New patient' }).click()
    const aside = page.getByRole('dialog')
    await aside.getByLabel('First name').fill('Nerea')
    await aside.getByLabel('Last name').fill('Zubiri')
    await aside.getByRole('button', { name: 'Save' }).click()
    await aside.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(`${instance.url}/budgets/${draft.id}`)
    const saved = await detail(draft.id)
    expect(saved.patient).toMatchObject({ first_name: 'Nerea', last_name: 'Zubiri' })
    expect(saved.items.map((item: { treatment_id: string }) => item.treatment_id)).toEqual([other.id, one.id])
  })

  test('offers to add a patient who was not found, with the typed name', async () => {
    const draft = await aDraft(instance)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    await page.getByRole('combobox', { name: 'Patient' }).click()
    await page.keyboard.type('Xabier Olabarrieta Goñi')
    await page.getByRole('option', { name: 'New patient' }).waitFor()
    await page.keyboard.press('Enter')
    const aside = page.getByRole('dialog')
    expect(await aside.getByLabel('First name').inputValue()).toBe('Xabier')
    expect(await aside.getByLabel('Last name').inputValue()).toBe('Olabarrieta Goñi')
    await aside.getByRole('button', { name: 'Save' }).click()
    await aside.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(`${instance.url}/budgets/${draft.id}`)
    expect((await detail(draft.id)).patient).toMatchObject({ first_name: 'Xabier', last_name: 'Olabarrieta Goñi' })
  })

  test('keeps the tax that a line was written with, and saves the amounts that were shown', async () => {
    const staff = await instance.as('admin')
    const treatment = await aTreatment(staff, { name: { en: 'Taxed otherwise' }, unit_price: '100.00', vat: '7.5' })
    const draft = await aDraft(instance, { items: [{ treatment_id: treatment.id }] })
    await staff.patch(`/api/v1/catalog/treatments/${treatment.id}`, { vat: '0', active: false })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    await lineOf(page, 1).getByText('7.5% tax').waitFor()
    await lineOf(page, 1).getByLabel('Quantity').fill('٢')
    await expect.poll(() => total(page)).toBe('215.00')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(`${instance.url}/budgets/${draft.id}`)
    expect(await detail(draft.id)).toMatchObject({
      totals: { total: '215.00' },
      items: [{ id: draft.items[0].id, vat: '7.5', quantity: 2 }]
    })
  })

  test('shows both sides when another person saved first, and merges my changes with theirs', async () => {
    const draft = await aDraft(instance, { patient_notes: 'As agreed.' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    await page.getByLabel('Notes for the patient').fill('Mine for the patient.')
    await (
      await instance.as('dentist')
    ).patch(`${BUDGETS}/${draft.id}`, { patient_notes: 'Theirs for the patient.', internal_notes: 'Only theirs.' })

    await page.getByRole('button', { name: 'Save draft' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'Someone else saved changes meanwhile' })
    await notice.getByText('Theirs for the patient.').waitFor()
    await notice.getByText('Mine for the patient.').waitFor()
    expect((await detail(draft.id)).patient_notes).toBe('Theirs for the patient.')

    await notice.getByRole('button', { name: 'Save mine anyway' }).click()
    await page.waitForURL(`${instance.url}/budgets/${draft.id}`)
    expect(await detail(draft.id)).toMatchObject({
      patient_notes: 'Mine for the patient.',
      internal_notes: 'Only theirs.'
    })
  })

  test('adds a line that another person removed as a new one, at the price that is shown', async () => {
    const staff = await instance.as('admin')
    const [gone, kept] = [
      await aTreatment(staff, { unit_price: '100.00', vat: '0' }),
      await aTreatment(staff, { unit_price: '50.00', vat: '0' })
    ]
    const draft = await aDraft(instance, { items: [{ treatment_id: gone.id }, { treatment_id: kept.id }] })
    await staff.patch(`/api/v1/catalog/treatments/${gone.id}`, { vat: '21' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    await lineOf(page, 2).getByLabel('Quantity').fill('2')
    await staff.patch(`${BUDGETS}/${draft.id}`, { items: [{ id: draft.items[1].id, treatment_id: kept.id }] })

    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Save mine anyway' }).waitFor()
    await expect.poll(() => total(page)).toBe('221.00')
    await page.getByRole('button', { name: 'Save mine anyway' }).click()
    await page.waitForURL(`${instance.url}/budgets/${draft.id}`)
    expect((await detail(draft.id)).totals.total).toBe('221.00')
  })

  test('shows errors of the second attempt beside the conflict', async () => {
    const draft = await aDraft(instance, { patient_notes: 'As agreed.' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    await page.getByLabel('Notes for the patient').fill('Mine for the patient.')
    const colleague = await instance.as('dentist')
    await colleague.patch(`${BUDGETS}/${draft.id}`, { patient_notes: 'Theirs for the patient.' })
    await page.getByRole('button', { name: 'Save draft' }).click()
    const save = page.getByRole('button', { name: 'Save mine anyway' })
    await save.waitFor()

    expect((await colleague.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual', code: '482913' })).status).toBe(
      200
    )
    await save.click()
    await page.getByRole('alert').getByText('The state of this budget has changed').waitFor()
    expect(await page.getByLabel('Notes for the patient').inputValue()).toBe('Mine for the patient.')
  })

  test('is read-only for a budget that was sent, and the page explains what to do instead', async () => {
    const budget = await aSentBudget(instance)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${budget.id}/edit`)
    await page.getByText('This budget can no longer be edited').waitFor()
    await page.getByText(/Open it and choose “Revise”/).waitFor()
  })

  test('asks before unsaved text is lost, and explains a missing permission to write', async () => {
    const draft = await aDraft(instance)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    await page.getByLabel('Internal notes').fill('Not saved yet')
    const asked = page.waitForEvent('dialog')
    const leaving = page.getByRole('link', { name: 'Patients' }).click()
    const dialog = await asked
    expect(dialog.message()).toContain('unsaved changes')
    await dialog.dismiss()
    await leaving
    expect(await page.getByLabel('Internal notes').inputValue()).toBe('Not saved yet')

    await page.getByRole('button', { name: 'New patient' }).click()
    const aside = page.getByRole('dialog')
    await aside.getByLabel('First name').fill('Nerea')
    for (const answer of ['dismiss', 'accept'] as const) {
      const question = page.waitForEvent('dialog')
      const closing = aside.getByRole('button', { name: 'Close' }).click()
      await (await question)[answer]()
      await closing
      if (answer === 'dismiss') expect(await aside.getByLabel('First name').inputValue()).toBe('Nerea')
    }
    await aside.waitFor({ state: 'detached' })

    const reader = await aStaffVisit(browser, instance, { role: 'assistant' })
    await visitPage(reader.page, `${instance.url}/budgets/${draft.id}/edit`)
    await reader.page.getByText('Permission denied: budget.write').waitFor()
  })
})

describe('the list of budgets', () => {
  test('has view, search, order and page in the URL, and restores them after a reload and with Back', async () => {
    const staff = await instance.as('admin')
    const patient = await aPatient(staff, { first_name: 'Xana', last_name: 'Listado' })
    const needs = {
      patient_id: patient.id,
      professional_id: (await aProfessional(instance)).id,
      items: [{ treatment_id: (await aTreatment(staff)).id }]
    }
    for (let n = 0; n < 23; n++) await aDraft(instance, needs)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets`)

    await page.getByRole('link', { name: /^Drafts/ }).click()
    await page.waitForURL(/status=draft/)
    await page.getByRole('searchbox', { name: 'Number or patient' }).fill('listado xan')
    await page.waitForURL(/search=listado/)
    await page.getByText('23 entries').waitFor()
    await page.getByRole('button', { name: 'Sort by Number' }).click()
    await page.waitForURL(/sort=-number/)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.waitForURL(/page=2/)
    await expect.poll(() => page.getByRole('row').count()).toBe(4)

    const numbers = () => page.locator('tbody .row-link').allTextContents()
    const before = await numbers()
    await page.reload()
    await expect.poll(numbers).toEqual(before)
    await page.locator('tbody .row-link').first().click()
    await page.waitForURL(/\/budgets\/[0-9a-f-]{36}$/)
    await page.goBack()
    await page.waitForURL(/page=2/)
    await expect.poll(numbers).toEqual(before)

    await page.goto(`${instance.url}/budgets?search=nobody-is-called-so`)
    await page.getByRole('button', { name: 'Reset filters' }).click()
    await expect.poll(() => page.url()).toBe(`${instance.url}/budgets`)
  })

  test('has a view of the budgets that need attention', async () => {
    const budget = await aSentBudget(instance)
    const patient = instance.anonymous()
    for (let n = 0; n < 5; n++) await patient.post(`${budget.base}/verify`, { code: '0000' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets?attention=locked`)
    await page.getByRole('row').filter({ hasText: budget.number }).getByText('Locked', { exact: true }).waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: /^Needs attention/ }).getAttribute('aria-current'))
      .toBe('page')

    await visitPage(page, `${instance.url}/budgets?search=nobody&locked=true&sort=number`)
    await page.getByRole('link', { name: /^Needs attention/ }).click()
    await page.waitForURL(/attention=/)
    expect(new URL(page.url()).search).toMatch(/^\?sort=number&attention=\w+$/)
  })

  test('finds the budgets of a clinician who has left by name', async () => {
    const professional = await aProfessional(instance)
    const draft = await aDraft(instance, { professional_id: professional.id })
    await (
      await instance.as('admin')
    ).patch(`/api/v1/clinical/professionals/${professional.id}`, { name: 'Wilhelmina Fort', active: false })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets`)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel('Clinician', { exact: true }).click()
    await page.getByRole('option', { name: /Wilhelmina Fort.*Inactive/ }).click()
    await page.waitForURL(new RegExp(`professional_id=${professional.id}`))
    await page.getByRole('row').filter({ hasText: draft.number }).waitFor()
    await page.reload()
    await page.getByLabel('Clinician', { exact: true }).getByText('Wilhelmina Fort').waitFor()
  })
})

describe('the list and the editor of budgets meet WCAG, and never scroll sideways:', () => {
  const PLACES = ['/budgets', '/budgets?attention=expiring', '/budgets/new', '/budgets?locked=true', '/budgets/:id/edit']
  let walk: Walk
  beforeAll(async () => { walk = await aWalk(browser, instance) })
  afterAll(() => walk.leave())

  test.each(PLACES)('%s', async (path) => {
    const draft = await aDraft(instance, { global_discount: { type: 'percent', value: '10' } })
    await expectAllVariants(walk, path.replace(':id', draft.id))
  })
})
