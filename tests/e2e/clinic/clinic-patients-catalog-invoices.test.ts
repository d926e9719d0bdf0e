import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { aDraft, aPatient, aProfessional, aTreatment } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { anIssuedInvoice } from '../../support/documents/invoices.ts'
import {
  aStaffVisit,
  aWalk,
  expectAllVariants,
  expectWhyNot,
  focusedLabel,
  heard,
  press,
  visitPage,
  type Walk
} from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
})
afterAll(() => instance?.close())

const PATIENTS = '/api/v1/clinical/patients'
const TREATMENTS = '/api/v1/catalog/treatments'
const stored = async (path: string) => (await (await instance.as('admin')).get(path)).body.data

describe('the screens of the patients', () => {
  test('add a patient, show each error at its field, and keep the typed text', async () => {
    const { page, complaints } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients`)
    await press(page, 'New patient')
    await page.getByLabel('First name').fill('Amparo')
    await page.getByLabel('Email address').fill('amparo at home')
    await press(page, 'Save')
    await heard(page, 'This isn’t an email address.')
    await expect.poll(() => focusedLabel(page)).toMatch(/^Last name/)

    await page.getByLabel('Last name').fill('Soler Vidal')
    await page.getByLabel('Email address').fill('amparo@patient.test')
    await page.getByLabel('Phone').fill('+34 600 111 222')
    expect(await page.getByLabel('First name').inputValue()).toBe('Amparo')
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Personal details' }).waitFor()
    await page.getByRole('link', { name: 'amparo@patient.test' }).waitFor()
    const id = page.url().split('/').at(-1)
    expect(await stored(`${PATIENTS}/${id}`)).toMatchObject({
      first_name: 'Amparo',
      last_name: 'Soler Vidal',
      phone: '+34 600 111 222',
      locale: 'es'
    })

    await page.getByRole('heading', { name: 'Budgets' }).waitFor()
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    await press(page, 'New budget')
    await page.waitForURL(`**/budgets/new?patient=${id}`)
    expect(complaints).toEqual([])
  })

  test('keep the form when the response was lost, and lead to the list because the patient may exist', async () => {
    const { page, context } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients/new`)
    await page.getByLabel('First name').fill('Ramona')
    await page.getByLabel('Last name').fill('Perdida')
    await page.route(`**${PATIENTS}`, async (route) => {
      await route.fetch()
      await route.abort('connectionfailed')
    }, { times: 1 })
    await press(page, 'Save')
    await page.getByRole('alert').getByText('this may have been saved').waitFor()
    const [list] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Open the list in a new window' }).click()
    ])
    await list.getByRole('link', { name: /Perdida/ }).waitFor()
    expect(await page.getByLabel('Last name').inputValue()).toBe('Perdida')
  })

  test('have the search in the URL, and restore it from there', async () => {
    const staff = await instance.as('admin')
    await aPatient(staff, { first_name: 'Zacarías', last_name: 'Quintanilla' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients`)
    await page.getByRole('searchbox').fill('quintan')
    await page.waitForURL('**/patients?search=quintan')
    await heard(page, '1 entry')
    await page.reload()
    await heard(page, '1 entry')
    await page.getByRole('searchbox').fill('nobody is called so')
    await heard(page, 'No matches')
    await press(page, 'Reset filters')
    await page.getByRole('link', { name: 'Quintanilla, Zacarías' }).waitFor()
  })

  test('show values that another person saved beside mine, replace them with mine, and keep other fields', async () => {
    const staff = await instance.as('admin')
    const { id } = await aPatient(staff, { first_name: 'Ana', last_name: 'Ruiz', phone: '+34 600 000 001' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients/${id}`)
    await press(page, 'Edit')
    await page.getByLabel('Phone').fill('+34 600 000 002')
    await staff.patch(`${PATIENTS}/${id}`, { phone: '+34 600 000 003', notes: 'Allergic to penicillin' })
    await press(page, 'Save')

    await heard(page, 'Someone else saved changes meanwhile')
    await heard(page, '+34 600 000 003')
    await heard(page, 'Allergic to penicillin')
    expect(await page.getByLabel('Phone').inputValue()).toBe('+34 600 000 002')
    await press(page, 'Save mine anyway')
    await page.getByRole('link', { name: '+34 600 000 002' }).waitFor()
    expect(await stored(`${PATIENTS}/${id}`)).toMatchObject({
      phone: '+34 600 000 002',
      notes: 'Allergic to penicillin'
    })
  })

  test('can take the values of the other person, and continue the form from there', async () => {
    const staff = await instance.as('admin')
    const { id } = await aPatient(staff, { first_name: 'Ana', last_name: 'Ruiz' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients/${id}`)
    await press(page, 'Edit')
    await page.getByLabel('Last name').fill('Ruiz Peña')
    await staff.patch(`${PATIENTS}/${id}`, { last_name: 'Ruiz Pardo' })
    await press(page, 'Save')
    await press(page, 'Show saved version')
    expect(await page.getByLabel('Last name').inputValue()).toBe('Ruiz Pardo')
    await page.getByLabel('Notes').fill('Prefers mornings')
    await press(page, 'Save')
    await heard(page, 'Prefers mornings')
    expect(await stored(`${PATIENTS}/${id}`)).toMatchObject({ last_name: 'Ruiz Pardo', notes: 'Prefers mornings' })
  })

  test('ask before unsaved text is lost', async () => {
    const { id } = await aPatient(await instance.as('admin'))
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients/${id}`)
    await press(page, 'Edit')
    await page.getByLabel('Notes').fill('half a sentence')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByRole('link', { name: 'Invoices' }).first().click()
    await expect.poll(() => questions.join()).toContain('unsaved changes')
    expect(page.url()).toContain(id)
    expect(await page.getByLabel('Notes').inputValue()).toBe('half a sentence')
  })

  test('ask before another patient is opened in the palette', async () => {
    const staff = await instance.as('admin')
    const { id } = await aPatient(staff)
    await aPatient(staff, { first_name: 'Ofelia', last_name: 'Zurbarán' })
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients/${id}`)
    await press(page, 'Edit')
    await page.getByLabel('Notes').fill('half a sentence')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').locator('input').fill('Zurbarán')
    await page.getByRole('option', { name: /Zurbarán/ }).click()
    await expect.poll(() => questions.join()).toContain('unsaved changes')
    expect(page.url()).toContain(id)
    expect(await page.getByLabel('Notes').inputValue()).toBe('half a sentence')
  })

  test('list the budgets of a patient, newest first', async () => {
    const staff = await instance.as('admin')
    const { id } = await aPatient(staff)
    const draft = await aDraft(instance, { patient_id: id })
    const { page } = await aStaffVisit(browser, instance, { role: 'assistant' })
    await visitPage(page, `${instance.url}/patients/${id}`)
    await page.getByRole('link', { name: draft.number }).waitFor()
    // An assistant may not read invoices, so that this section is missing.
    expect(await page.getByRole('heading', { name: 'Invoices' }).count()).toBe(0)
  })

  test('add a clinician, and offer them only while they are active', async () => {
    const { page } = await aStaffVisit(browser, instance)
    await visitPage(page, `${instance.url}/patients`)
    await page.getByRole('link', { name: 'Clinicians' }).click()
    await press(page, 'New clinician')
    await page.getByLabel('Licence number').fill('28099999')
    await page.getByLabel('Name').fill('Dra. Olalla Prieto')
    await press(page, 'Save')
    await page.getByRole('link', { name: 'Dra. Olalla Prieto' }).click()
    await page.getByRole('switch', { name: 'Active' }).click()
    await press(page, 'Save')
    await heard(page, 'The clinician was saved')
    await visitPage(page, `${instance.url}/patients/professionals`)
    expect(await page.getByRole('link', { name: 'Dra. Olalla Prieto' }).count()).toBe(0)
    await visitPage(page, `${instance.url}/patients/professionals?active=false`)
    await page.getByRole('link', { name: 'Dra. Olalla Prieto' }).waitFor()
  })
})

describe('the screens of the treatments', () => {
  test('save a treatment in two languages, with the price as typed', async () => {
    const { page, complaints } = await aStaffVisit(browser, instance, { role: 'dentist' })
    await visitPage(page, `${instance.url}/catalog`)
    await page.getByRole('columnheader', { name: 'Price without tax' }).waitFor()
    await press(page, 'New treatment')
    await page.getByLabel('Price without tax').fill('1.234,5')
    await page.getByLabel('VAT').fill('7,5 %')
    await page.getByLabel('Code', { exact: true }).fill('ORT-77')
    await heard(page, '€1,327.09 with tax')
    await press(page, 'Save')
    await heard(page, 'Fill this in.')
    await expect.poll(() => focusedLabel(page)).toMatch(/^Name \(Spanish\)/)

    await page.getByLabel('Name (Spanish)').fill('Férula de descarga')
    await press(page, /More languages/)
    await page.getByLabel('Name (English)').fill('Night guard')
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Details' }).waitFor()
    await page.getByText('Price without tax').waitFor()
    const id = page.url().split('/').at(-1)
    expect(await stored(`${TREATMENTS}/${id}`)).toMatchObject({
      code: 'ORT-77',
      name: { es: 'Férula de descarga', en: 'Night guard' },
      unit_price: '1234.50',
      vat: '7.5',
      active: true
    })
    expect(complaints).toEqual([])
  })

  test('report a code that another treatment has at its field', async () => {
    await aTreatment(await instance.as('admin'), { code: 'TAKEN-1' })
    const { page } = await aStaffVisit(browser, instance, { role: 'dentist' })
    await visitPage(page, `${instance.url}/catalog/new`)
    await page.getByLabel('Code').fill('TAKEN-1')
    await page.getByLabel('Name (Spanish)').fill('Otro')
    await page.getByLabel('Price without tax').fill('10')
    await page.getByLabel('VAT').fill('0')
    await press(page, 'Save')
    await heard(page, 'Another treatment already has this code.')
    await expect.poll(() => focusedLabel(page)).toMatch(/^Code/)
    await page.getByLabel('Code').fill('TAKEN-2')
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Details' }).waitFor()
  })

  test('keep an error of the server until its field is changed, however fast the response was', async () => {
    await aTreatment(await instance.as('admin'), { code: 'TAKEN-3' })
    const { page } = await aStaffVisit(browser, instance, { role: 'dentist' })
    await page.clock.install()
    await visitPage(page, `${instance.url}/catalog/new`)
    await page.getByLabel('Name (Spanish)').fill('Otro')
    await page.getByLabel('Price without tax').fill('10')
    await page.getByLabel('VAT').fill('0')
    await page.getByLabel('Code').fill('TAKEN')
    await page.getByLabel('VAT').focus()
    await page.getByLabel('Code').fill('TAKEN-3')
    await page.getByLabel('Code').press('Enter')
    const said = page.getByText('Another treatment already has this code.')
    await said.first().waitFor()
    await page.clock.runFor(2000)
    expect(await said.first().isVisible()).toBe(true)
    await page.getByLabel('Code').fill('TAKEN-4')
    await said.first().waitFor({ state: 'detached' })
  })

  test('show a price that was changed in the meantime beside mine', async () => {
    const staff = await instance.as('admin')
    const { id } = await aTreatment(staff, { unit_price: '50.00' })
    const { page } = await aStaffVisit(browser, instance, { role: 'dentist' })
    await visitPage(page, `${instance.url}/catalog/${id}`)
    await press(page, 'Edit')
    await page.getByLabel('Price without tax').fill('55')
    await staff.patch(`${TREATMENTS}/${id}`, { unit_price: '60.00' })
    await press(page, 'Save')
    await heard(page, '€60.00')
    await press(page, 'Save mine anyway')
    await heard(page, 'The treatment was saved')
    expect((await stored(`${TREATMENTS}/${id}`)).unit_price).toBe('55.00')
  })

  test('hide a treatment that is no longer offered, and find it with the filter', async () => {
    const { id, code } = await aTreatment(await instance.as('admin'), {
      name: { en: 'Amalgam filling' },
      category: 'restoration'
    })
    const { page } = await aStaffVisit(browser, instance, { role: 'dentist' })
    await visitPage(page, `${instance.url}/catalog/${id}`)
    await press(page, 'Stop offering')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Existing budgets don’t change').waitFor()
    await dialog.getByRole('button', { name: 'Stop offering' }).click()
    await page.getByRole('button', { name: 'Offer again' }).waitFor()

    await visitPage(page, `${instance.url}/catalog?search=${code}`)
    await heard(page, 'No matches')
    await visitPage(page, `${instance.url}/catalog?search=${code}&active=false&category=restoration`)
    await page.getByRole('link', { name: 'Amalgam filling' }).waitFor()
  })

  test('are read-only for an assistant, with the permission that is missing', async () => {
    const { id } = await aTreatment(await instance.as('admin'))
    const { page } = await aStaffVisit(browser, instance, { role: 'assistant' })
    await visitPage(page, `${instance.url}/catalog`)
    await expectWhyNot(page, 'New treatment', 'Permission denied: catalog.write')
    await visitPage(page, `${instance.url}/catalog/${id}`)
    for (const action of ['Edit', 'Stop offering'])
      await expectWhyNot(page, action, 'Permission denied: catalog.write')
    await visitPage(page, `${instance.url}/catalog/new`)
    await heard(page, 'You don’t have access to this page')
  })
})

describe('each screen is accessible:', () => {
  let walk: Walk
  beforeAll(async () => { walk = await aWalk(browser, instance, { role: 'admin' }) })
  afterAll(() => walk.leave())

  const places: Record<string, () => Promise<string>> = {
    'list of patients': async () => '/patients',
    'form of a patient': async () => '/patients/new',
    'import of patients': async () => '/patients/import',
    'page of a patient': async () => `/patients/${(await aDraft(instance)).patient.id}`,
    'list of professionals': async () => '/patients/professionals',
    'page of a professional': async () => `/patients/professionals/${(await aProfessional(instance)).id}`,
    'list of treatments': async () => '/catalog?active=all',
    'form of a treatment': async () => '/catalog/new',
    'import of treatments': async () => '/catalog/import',
    'page of a treatment': async () => `/catalog/${(await aTreatment(await instance.as('admin'))).id}`,
    'list of invoices': async () => '/invoices',
    'page of an invoice': async () => `/invoices/${(await anIssuedInvoice(instance, await instance.as('admin'))).id}`
  }

  test.each(Object.keys(places))(
    '%s passes axe and does not scroll sideways, in English and Arabic, light and dark, wide and narrow',
    async place => expectAllVariants(walk, await places[place]!())
  )
})
