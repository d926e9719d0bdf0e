import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectAccessible, visitPage } from '../../support/browser/staff-page.ts'
import { aDraft, aPatient, aTreatment, BUDGETS } from '../../support/builders.ts'

const SMALL = { width: 390, height: 844 }
let instance: Built
let browser: Browser
let ids: Record<'crown' | 'filling', string>
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  const staff = await instance.as('admin')
  const of = async (en: string) => (await aTreatment(staff, { name: { en }, vat: '0' })).id as string
  ids = { crown: await of('Zirconia crown'), filling: await of('Amalgam filling') }
})
afterAll(() => instance?.close())

const lineOf = (page: Page, n: number) => page.getByRole('group', { name: new RegExp(`^Line ${n}:`) })
const chips = (page: Page, n: number) => lineOf(page, n).getByRole('button', { name: /^Remove \S+$/ })
const chart = (page: Page) => page.getByRole('group', { name: 'Dental chart' })
const writes = (page: Page, n: number) => page.getByText(new RegExp(`^\\s*Teeth of line ${n}:`)).waitFor()
async function save(page: Page) {
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/budgets\/[0-9a-f-]{36}$/)
  return (await (await instance.as('admin')).get(`${BUDGETS}/${new URL(page.url()).pathname.split('/').at(-1)}`)).body.data
}
async function editing(fields: Record<string, unknown> = {}, viewport = SMALL) {
  const items = [{ treatment_id: ids.crown }, { treatment_id: ids.filling }]
  const draft = await aDraft(instance, { items, ...fields })
  const visit = await aStaffVisit(browser, instance, { viewport })
  await visitPage(visit.page, `${instance.url}/budgets/${draft.id}/edit`)
  return visit
}

describe('the chart in the editor at 390 px', () => {
  test('fills the line that had the focus last, and the quantity is updated', async () => {
    const { page, complaints } = await editing()
    await page.getByRole('button', { name: 'Dental chart' }).click()
    await lineOf(page, 1).getByLabel('Quantity').focus()
    await writes(page, 1)
    await chart(page).locator('[data-tooth="11"]').click()
    await chart(page).locator('[data-tooth="21"]').click()
    expect(await chips(page, 1).count()).toBe(2)
    expect(await lineOf(page, 1).getByLabel('Quantity').inputValue()).toBe('2')
    await lineOf(page, 2).getByLabel('Surfaces').focus()
    await writes(page, 2)
    await chart(page).locator('[data-tooth="11"]').focus()
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowDown', 'Space']) await page.keyboard.press(key)
    await lineOf(page, 2).getByLabel('Surfaces').fill('im')
    const saved = await save(page)
    expect(saved.items).toMatchObject([
      { teeth: ['11', '21'], surfaces: [], quantity: 2 },
      { teeth: ['43'], surfaces: ['I', 'M'], quantity: 1 }
    ])
    // The detail page draws the same chart.
    await chart(page).getByRole('button', { name: /^Tooth 43/ }).click()
    await page.locator('.teeth-shown').getByText('Amalgam filling (MI)').waitFor()
    expect(complaints).toEqual([])
  })

  test('replaces the teeth with an area, and the area with the teeth again', async () => {
    const { page } = await editing({ items: [{ treatment_id: ids.crown, teeth: ['16'] }] })
    await page.getByRole('button', { name: 'Dental chart' }).click()
    await page.getByLabel('Area', { exact: true }).click()
    await page.getByRole('option', { name: 'Upper jaw' }).click()
    await lineOf(page, 1).getByRole('button', { name: 'Remove the area' }).waitFor()
    expect((await save(page)).items[0]).toMatchObject({ teeth: [], area: 'upper_jaw' })
  })

  test('shows baby teeth for a child', async () => {
    const date_of_birth = `${new Date().getUTCFullYear() - 7}-02-03`
    const { id: patient_id } = await aPatient(await instance.as('admin'), { date_of_birth })
    const { page } = await editing({ patient_id })
    await page.getByRole('button', { name: 'Dental chart' }).click()
    await page.locator('[data-tooth="55"]').waitFor()
  })
})

describe('the teeth of a line', () => {
  test('are typed one after the other, with surfaces after one, and removed by button or Backspace', async () => {
    const { page } = await editing()
    const field = lineOf(page, 1).getByLabel('Tooth', { exact: true })
    await field.focus()
    await page.keyboard.type('16mo ')
    expect(await lineOf(page, 1).getByLabel('Surfaces').inputValue()).toBe('MO')
    await page.keyboard.type('17,18 ')
    await expect.poll(() => chips(page, 1).count()).toBe(3)
    await page.keyboard.press('Backspace')
    await lineOf(page, 1).getByRole('button', { name: 'Remove 17' }).click()
    expect((await save(page)).items[0]).toMatchObject({ teeth: ['16'], quantity: 1 })
  })

  test('are refused with a sentence when they do not exist, and the text stays in the field', async () => {
    const { page } = await editing()
    await lineOf(page, 1).getByLabel('Tooth', { exact: true }).fill('19')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Enter tooth numbers such as 16.').last().waitFor()
    await lineOf(page, 1).getByLabel('Tooth', { exact: true }).fill('18')
    expect((await save(page)).items[0]).toMatchObject({ teeth: ['18'] })
  })
})

test('the editor, the detail and the preview number the teeth in the selected notation', async () => {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  const { page } = await aStaffVisit(browser, instance, { clinic, role: 'admin' })
  await visitPage(page, `${instance.url}/clinic`)
  await page.getByRole('radio', { name: /^Universal/ }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(async () => (await admin.get('/api/v1/clinic')).body.data.tooth_notation).toBe('universal')

  const { id: treatment_id } = await aTreatment(admin, { name: { en: 'Gold crown' } })
  const { id: patient_id } = await aPatient(admin)
  const { id } = (await admin.post(BUDGETS, { patient_id, items: [{ treatment_id, teeth: ['16'] }] })).body.data
  await visitPage(page, `${instance.url}/budgets/${id}/edit`)
  await lineOf(page, 1).getByRole('button', { name: 'Remove 3' }).waitFor()
  await visitPage(page, `${instance.url}/budgets/${id}`)
  await page.getByText('Tooth 3').first().waitFor()
  await visitPage(page, `${instance.url}/budgets/${id}/preview`)
  await page.getByText('Teeth are numbered in the Universal Numbering System.').waitFor()
  await expectAccessible(page)
})
