import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aDraft, aPatient, aTreatment, BUDGETS } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { anIssuedInvoice } from '../../support/documents/invoices.ts'
import {
  aStaffVisit,
  aWalk,
  expectAccessible,
  expectAllVariants,
  expectWhyNot,
  heard,
  press,
  visitPage
} from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const SETS = '/api/v1/catalog/sets'
const TEMPLATES = '/api/v1/budget/templates'
const stored = async (path: string) => (await (await instance.as('admin')).get(path)).body.data
const named = async (name: string) => await aTreatment(await instance.as('admin'), { name: { en: name }, vat: '0' })
const aSet = async (name: string, items: { treatment_id: string, quantity?: number }[]) =>
  (await (await instance.as('admin')).post(SETS, { name, items })).body.data
const aTemplate = async (name: string, fields: Record<string, unknown> = {}) => {
  const { id } = await aDraft(instance, fields)
  return (await (await instance.as('admin')).post(TEMPLATES, { name, budget_id: id })).body.data
}
/** Types the name and presses Enter, as at the reception. */
async function pick(page: Page, text: string) {
  const field = page.getByRole('combobox', { name: 'Add a treatment: name or code' })
  await field.fill(text)
  await page.getByRole('option', { name: new RegExp(text) }).first().waitFor()
  await field.press('Enter')
}

describe('a set of treatments', () => {
  test('is written by keyboard, changed and deleted', async () => {
    const [probe, scaling] = [await named('Probing'), await named('Scaling')]
    const { page, complaints } = await aStaffVisit(browser, instance, { role: 'dentist' })
    await visitPage(page, `${instance.url}/catalog`)
    await page.getByRole('link', { name: 'Sets' }).click()
    await press(page, 'New set')
    await page.getByRole('heading', { name: 'New set' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Gum care')
    await press(page, 'Save')
    await heard(page, 'Add at least one treatment.')
    await pick(page, 'Probing')
    await page.getByLabel('Quantity: Probing').press('Enter')
    await pick(page, 'Scaling')
    await page.getByLabel('Quantity: Scaling').fill('4')
    await page.getByRole('button', { name: 'Move Scaling up' }).press('Enter')
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Treatments' }).waitFor()
    const id = page.url().split('/').at(-1)!
    const shown = ({ name, items }: any) => [name, items.map((item: any) => [item.treatment_id, item.quantity])]
    expect(shown(await stored(`${SETS}/${id}`))).toEqual(['Gum care', [[scaling.id, 4], [probe.id, 1]]])

    await press(page, 'Edit')
    await press(page, 'Remove Probing')
    await press(page, 'Save')
    await heard(page, 'The set was saved')
    expect(shown(await stored(`${SETS}/${id}`))).toEqual(['Gum care', [[scaling.id, 4]]])
    await press(page, 'Delete set')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete set' }).click()
    await page.waitForURL('**/catalog/sets')
    expect(complaints).toEqual([])
  })

  test('is added by the editor in one step, which names treatments that are no longer offered', async () => {
    const [crown, post, gone] = [await named('Crown of a set'), await named('Post'), await named('Old cement')]
    await aSet('Crown and post', [
      { treatment_id: crown.id, quantity: 2 },
      { treatment_id: gone.id },
      { treatment_id: post.id }
    ])
    await (await instance.as('admin')).patch(`/api/v1/catalog/treatments/${gone.id}`, { active: false })
    const draft = await aDraft(instance)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}/edit`)
    await pick(page, 'Crown and post')
    await heard(page, 'Left out of “Crown and post”, because you don’t offer it: Old cement.')
    await page.getByRole('group', { name: /Crown of a set$/ }).waitFor()
    // For the next treatment.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
    await press(page, 'Save draft')
    await page.waitForURL(new RegExp(`/budgets/${draft.id}$`))
    const { items } = await stored(`${BUDGETS}/${draft.id}`)
    expect(items.slice(1).map((item: any) => [item.name, item.quantity])).toEqual([['Crown of a set', 2], ['Post', 1]])
  })

  test('is read-only for a receptionist, with the reason', async () => {
    const { id } = await aSet('Read only', [{ treatment_id: (await named('Reading')).id }])
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/catalog/sets/${id}`)
    await page.getByRole('link', { name: 'Reading' }).waitFor()
    await expectWhyNot(page, 'Delete set', 'catalog.write')
  })

  test('has accessible pages', async () => {
    const { id } = await aSet('For everybody', [{ treatment_id: (await named('Everything')).id }])
    const walk = await aWalk(browser, instance, { role: 'dentist' })
    for (const path of ['/catalog/sets', '/catalog/sets/new', `/catalog/sets/${id}`]) await expectAllVariants(walk, path)
  })
})

describe('a template', () => {
  test('is saved from a budget and starts a new one', async () => {
    const treatment = await named('Veneer')
    const draft = await aDraft(instance, {
      items: [{ treatment_id: treatment.id, quantity: 3 }],
      patient_notes: 'In two visits.',
      global_discount: { type: 'percent', value: '10' }
    })
    const { page, complaints } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/${draft.id}`)
    await press(page, 'More')
    await press(page, 'Save as template')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save template' }).click()
    await dialog.getByText('Fill this in.').waitFor()
    await dialog.getByLabel('Name').fill('Three veneers')
    await page.keyboard.press('Enter')
    await heard(page, 'The template was saved')

    await (await instance.as('admin')).patch(`/api/v1/catalog/treatments/${treatment.id}`, { unit_price: '50.00' })
    const patient = await aPatient(await instance.as('admin'), { last_name: 'Vorlage' })
    await visitPage(page, `${instance.url}/budgets/new?patient=${patient.id}`)
    await press(page, 'New from template')
    await dialog.getByRole('button', { name: /^Three veneers/ }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('[data-total]').textContent()).toContain('€135.00')
    await press(page, 'Save draft')
    await page.waitForURL(/\/budgets\/[0-9a-f-]{36}$/)
    expect(await stored(`${BUDGETS}/${page.url().split('/').at(-1)}`)).toMatchObject({
      patient: { last_name: 'Vorlage' },
      items: [{ name: 'Veneer', quantity: 3, unit_price: '50.00' }],
      global_discount: { type: 'percent', value: '10' },
      patient_notes: 'In two visits.'
    })
    expect(complaints).toEqual([])
  })

  test('names the lines that are left out', async () => {
    const [stays, gone] = [await named('Stays'), await named('Goes')]
    await aTemplate('Half of it', { items: [{ treatment_id: stays.id }, { treatment_id: gone.id }] })
    await (await instance.as('admin')).patch(`/api/v1/catalog/treatments/${gone.id}`, { active: false })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/new`)
    await press(page, 'New from template')
    await page.getByRole('dialog').getByRole('button', { name: /^Half of it/ }).click()
    await page.getByRole('alert').getByText('Goes: you don’t offer it any more').waitFor()
    await page.getByRole('group', { name: 'Line 1: Stays' }).waitFor()
  })

  test('is renamed and deleted', async () => {
    const { id } = await aTemplate('To be renamed')
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/templates?search=renamed`)
    await press(page, 'Rename')
    await page.getByRole('dialog').getByLabel('Name').fill('Another renamed one')
    await page.keyboard.press('Enter')
    await heard(page, 'The template was renamed')
    expect((await stored(`${TEMPLATES}/${id}`)).name).toBe('Another renamed one')
    await press(page, 'Delete template')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete template' }).click()
    await heard(page, 'The template was deleted')
    await heard(page, 'No matches')
  })

  test('has accessible pages', async () => {
    await aTemplate('For everybody')
    const walk = await aWalk(browser, instance)
    for (const path of ['/budgets/templates', '/budgets/new']) await expectAllVariants(walk, path)
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/budgets/new`)
    await press(page, 'New from template')
    await page.getByRole('dialog').getByRole('button', { name: /For everybody/ }).waitFor()
    await expectAccessible(page)
  })
})

describe('an export', () => {
  test.each([
    ['/patients?search=ada', 'Export (CSV)', '/api/v1/clinical/patients/export.csv?search=ada'],
    ['/catalog', 'Export (CSV)', '/api/v1/catalog/treatments/export.csv?active=true'],
    ['/budgets?sort=number&status=sent', 'Export (CSV)', '/api/v1/budget/budgets/export.csv?status=sent&sort=number']
  ])('of %s is a plain link (%s) with the filters and the order', async (path, name, address) => {
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, instance.url + path)
    await expectDownload(page, page.getByRole('link', { name, exact: true }), address)
  })

  test('of a list with several files is in a menu, as plain links too', async () => {
    await anIssuedInvoice(instance, await instance.as('admin'))
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/invoices?status=issued`)
    for (const [name, address] of [
      ['Export (CSV)', '/api/v1/billing/invoices/export.csv?status=issued&sort=-created_at'],
      ['Export payments (CSV)', '/api/v1/billing/payments/export.csv?status=issued']
    ] as const) {
      await press(page, 'Export')
      await expectDownload(page, page.getByRole('menuitem', { name, exact: true }), address)
    }
  })

  async function expectDownload(page: Page, link: Locator, address: string) {
    expect(await link.getAttribute('href')).toBe(address)
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toMatch(/^[a-z]+\.csv$/)
  }

  test('of the report is a plain link too', async () => {
    const { page } = await aStaffVisit(browser, instance, { role: 'dentist' })
    await visitPage(page, `${instance.url}/reports?from=2026-01-01&to=2026-03-31`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export (CSV)' }).click()
    ])
    expect(download.suggestedFilename()).toBe('acceptance-2026-01-01-2026-03-31.csv')
  })
})
