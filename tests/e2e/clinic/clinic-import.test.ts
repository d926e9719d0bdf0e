import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PHONE, theBrowser } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { aStaffVisit, expectAccessible, expectWhyNot, heard, press, visitPage } from '../../support/browser/staff-page.ts'
import { anUpload, endOf, PATIENT_IMPORTS } from '../../support/imports.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const PATIENTS = [
  'Given;Surname;E-Mail;Birthday',
  'Ada;Lovelace;ada@patients.example;1915-12-10',
  'Grace;Hopper;grace@patients.example;1906-12-09',
  'Alan;Turing;alan at patients;1912-06-23',
  ';Nobody;nobody@patients.example;1990-01-01'
].join('\r\n')
const TREATMENTS = ['Nr;Text;Einzelpreis;MwSt', 'IMP-1;Krone;1.234,50;0', 'IMP-2;Füllung;85,00;0'].join('\r\n')

const choose = (page: Page, text: string | Buffer, name = 'file.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const atStep = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const fieldOf = (page: Page, column: string) => page.getByRole('combobox', { name: `“${column}”` })
/** The result of the check or the import. */
const counts = async (page: Page) =>
  Object.fromEntries(
    await page.locator('dl > div').evaluateAll(boxes =>
      boxes.map(box => [...box.children].map(child => child.textContent!.trim())))
  ) as Record<string, string>

describe('the import of patients', () => {
  test('leads from a file with invalid rows through the columns and the check to the list', async () => {
    const { page, complaints } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients`)
    await page.getByRole('main').getByRole('link', { name: 'Import (CSV)' }).first().click()
    await atStep(page, 'Choose a file')
    await choose(page, PATIENTS)

    await atStep(page, 'Match the columns')
    await heard(page, 'No column for: First name')
    await heard(page, 'No column for “ID in another system”. Patients without an email or')
    expect(await fieldOf(page, 'Surname').innerText()).toBe('Last name')
    await heard(page, 'Ada · Grace · Alan')
    await expectAccessible(page)
    await fieldOf(page, 'Given').click()
    await page.getByRole('option', { name: 'First name' }).click()
    await page.getByText('No column for: First name').waitFor({ state: 'detached' })

    await press(page, 'Check the file')
    await atStep(page, 'Check before you import')
    expect(await counts(page)).toEqual({ 'New': '3', 'Changed': '0', 'Unchanged': '0', 'Rows with errors': '1' })
    await heard(page, 'Rows with errors are left out.')
    await heard(page, '1 value left out')
    await page.getByRole('row', { name: '4 E-Mail alan at patients This isn’t an email address.' }).waitFor()
    await page.getByRole('row', { name: '5 Given The value is missing.' }).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download errors (CSV)')])
    expect(readFileSync(await download.path(), 'utf8')).toContain(
      '4,E-Mail,alan at patients,This isn’t an email address.,Imported without this value\r\n'
    )
    await expectAccessible(page)

    await press(page, 'Import 3 rows')
    await heard(page, 'Import finished')
    expect((await counts(page)).New).toBe('3')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open the list' }).click()
    await page.getByRole('link', { name: 'Lovelace, Ada' }).waitFor()
    await page.getByRole('link', { name: 'Hopper, Grace' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('continues at the same step when the page is loaded or opened again', async () => {
    const { page } = await aStaffVisit(browser, instance, { viewport: PHONE })
    await visitPage(page, `${instance.url}/patients/import`)
    await choose(page, 'First name,Last name,Remarks\r\nIda,Rhodes,left out\r\n')
    await atStep(page, 'Match the columns')
    await fieldOf(page, 'Remarks').click()
    const saved = page.waitForResponse(response => response.request().method() === 'PATCH')
    await page.getByRole('option', { name: 'Leave out' }).click()
    await saved
    await page.reload()
    await atStep(page, 'Match the columns')
    expect(await fieldOf(page, 'Remarks').innerText()).toBe('Leave out')
    await expectAccessible(page)

    await press(page, 'Check the file')
    await atStep(page, 'Check before you import')
    await page.reload()
    await atStep(page, 'Check before you import')
    await press(page, 'Back')
    await atStep(page, 'Match the columns')
    await press(page, 'Choose another file')
    await atStep(page, 'Choose a file')
    await page.goBack()
    await atStep(page, 'Check before you import')
    await press(page, 'Import 1 row')
    await heard(page, 'Import finished')
    await page.reload()
    await heard(page, 'Import finished')
    const { body } = await (await instance.as('admin')).get('/api/v1/clinical/patients?search=Rhodes')
    expect(body.data.map((patient: any) => [patient.first_name, patient.notes])).toEqual([['Ida', null]])
  })

  test('shows the result when it was run in another window', async () => {
    const staff = await instance.as('receptionist')
    const { id } = await anUpload(staff, PATIENT_IMPORTS, 'First name,Last name\r\nMary,Kenneth\r\n')
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients/import?import=${id}`)
    await atStep(page, 'Match the columns')
    await staff.post(`${PATIENT_IMPORTS}/${id}/run`)
    await endOf(staff, PATIENT_IMPORTS, id)
    await press(page, 'Check the file')
    await heard(page, 'Import finished')
  })

  test('asks for the file again when it no longer exists', async () => {
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients/import?import=${crypto.randomUUID()}`)
    await heard(page, 'This import no longer exists.')
    await choose(page, PATIENTS)
    await atStep(page, 'Match the columns')
  })
})

test('treatments can be imported with the keyboard only and in German', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'dentist', locale: 'de' })
  await visitPage(page, `${instance.url}/catalog/import`)
  await choose(page, TREATMENTS)
  await atStep(page, 'Spalten zuordnen')
  await heard(page, 'Keine Spalte für: Name (Sprache der Praxis)')
  const tabTo = async (name: string) => {
    const label = () => page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      return element?.getAttribute('aria-label') ?? element?.innerText ?? ''
    })
    for (let presses = 0; presses < 30 && (await label()).trim() !== name; presses++) await page.keyboard.press('Tab')
    expect((await label()).trim()).toBe(name)
  }
  await tabTo('Feld für die Spalte „Text“')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Name (Deutsch)' }).waitFor()
  await page.keyboard.type('Name (D')
  await page.keyboard.press('Enter')
  await page.getByText('Keine Spalte für').waitFor({ state: 'detached' })
  await tabTo('Datei prüfen')
  await page.keyboard.press('Enter')
  await atStep(page, 'Vor dem Import prüfen')
  await tabTo('2 Zeilen importieren')
  await page.keyboard.press('Enter')
  await heard(page, 'Import abgeschlossen')
  await tabTo('Liste öffnen')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Krone' }).waitFor()
  const { body } = await (await instance.as('admin')).get('/api/v1/catalog/treatments?search=IMP-1')
  expect(body.data.map((treatment: any) => [treatment.name, treatment.unit_price])).toEqual([[{ de: 'Krone' }, '1234.50']])
})

test('a wrong date and a wrong category are reported with the accepted values', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'dentist' })
  await visitPage(page, `${instance.url}/patients/import`)
  await choose(page, 'First name;Last name;Birthday\nAda;Lovelace;31/02/1980')
  await press(page, 'Check the file')
  const date = 'This date doesn’t exist or can’t be read. Write it like this: 31/12/1985.'
  await page.getByRole('row', { name: `2 Birthday 31/02/1980 ${date}` }).waitFor()

  await visitPage(page, `${instance.url}/catalog/import`)
  await choose(page, 'Code;Name;Price;Group\nIMP-7;Crown;10;Kitchen\nIMP-8;Crown;10;Prosthodontics')
  await press(page, 'Check the file')
  await atStep(page, 'Check before you import')
  expect(await counts(page)).toMatchObject({ 'New': '2', 'Rows with errors': '0' })
  await page.getByRole('row', { name: '2 Group Kitchen This category doesn’t exist.' }).waitFor()
  await page
    .getByText(/^Possible values of “Category”: Diagnosis and imaging, Prevention, .* or Aesthetics\.$/)
    .waitFor()
})

test('a file that cannot be read is reported with the reason, and another one can be chosen', async () => {
  const { page } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/patients/import`)
  for (const [file, why] of [
    ['First name,Last name\r\n', 'This file has no rows.'],
    ['PK\u0003\u0004\u0000\u0000', 'This isn’t a CSV file.'],
    ['First name,Last name\r\n"Ada,Lovelace\r\n', 'Line 2: a quotation mark is never closed.'],
    [Buffer.alloc(20_000_001, 'x'), 'This file is larger than 20\u00A0MB.']
  ] as const) {
    await choose(page, file as string)
    await page.getByRole('alert').getByText(why).waitFor()
  }
  await expectAccessible(page)
  await choose(page, PATIENTS)
  await atStep(page, 'Match the columns')
})

test('the page names the permission that an import needs when it is missing', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'assistant' })
  await visitPage(page, `${instance.url}/catalog`)
  await expectWhyNot(page, 'Import (CSV)', 'catalog.write')
  await visitPage(page, `${instance.url}/catalog/import`)
  await heard(page, 'You don’t have access to this page')
  expect(await page.locator('input[type=file]').count()).toBe(0)
})

test('names in one column, numbers of another system and unreadable cells have settings and warnings', async () => {
  const { page, complaints } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/patients/import`)
  await choose(page, 'Nr;Patient;Mail\r\n7;Noether Emmy;emmy at x\r\n8;"Germain, Sophie";sophie@x.example\r\n')
  await atStep(page, 'Match the columns')
  const saved = () => page.waitForResponse(response => response.request().method() === 'PATCH')
  await page.getByRole('row', { name: 'Noether Emmy Noether Emmy' }).waitFor()
  await Promise.all([saved(), page.getByRole('radio', { name: 'Last name, then first name' }).click()])
  await page.getByRole('row', { name: 'Noether Emmy Emmy Noether' }).waitFor()
  await page.getByRole('row', { name: 'Germain, Sophie Sophie Germain' }).waitFor()
  const system = page.getByLabel('System the numbers come from')
  await system.fill('Old System')
  await heard(page, 'Only lower-case letters a to z, digits and hyphens')
  await system.fill('old-one')
  await Promise.all([saved(), system.press('Tab')])
  await Promise.all([saved(), page.getByRole('checkbox', { name: 'Email address' }).click()])
  await expectAccessible(page)

  await press(page, 'Check the file')
  await atStep(page, 'Check before you import')
  expect(await counts(page)).toMatchObject({ 'New': '1', 'Rows with errors': '1' })
  await press(page, 'Import 1 row')
  await heard(page, 'Import finished')
  const staff = await instance.as('receptionist')
  const { body } = await staff.get('/api/v1/clinical/patients?search=germain')
  expect(body.data).toMatchObject([{ first_name: 'Sophie', last_name: 'Germain', external_ids: { 'old-one': '8' } }])

  await visitPage(page, `${instance.url}/patients/import`)
  await choose(page, 'Nr;Patient;Mail\r\n8;"Germain Lagrange, Sophie";sophie@x.example\r\n')
  await atStep(page, 'Match the columns')
  await system.fill('old-one')
  await Promise.all([saved(), system.press('Tab')])
  await press(page, 'Check the file')
  await heard(page, '1 other name')
  await page.getByRole('row', { name: '2 Sophie Germain Sophie Germain Lagrange' }).waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})
