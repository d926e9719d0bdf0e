import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBrowser, DESK } from '../support/browser.ts'
import { aDraft, aPatient, aProfessional, aTreatment } from '../support/builders.ts'
import { aBuiltInstance, type Built } from '../support/built.ts'
import { anInvoice, anIssuedInvoice, INVOICES, someInvoices } from '../support/invoices.ts'
import { aStaffVisit, expectAccessible, visitPage } from '../support/staff-page.ts'

let it: Built
let browser: Browser
beforeAll(async () => {
  it = await aBuiltInstance()
  browser = await aBrowser()
})
afterAll(async () => {
  await browser?.close()
  await it?.close()
})

const PATIENTS = '/api/v1/clinical/patients'
const TREATMENTS = '/api/v1/catalog/treatments'
const stored = async (path: string) => (await (await it.as('admin')).get(path)).body.data
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).click()
const heard = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
/** The field that has the focus. */
const focusedLabel = (page: Page) => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent?.trim())
/** A button that cannot be used says why, to a screen reader too. */
const expectWhyNot = (page: Page, name: string, reason: string) => expect.poll(() => page.getByRole('button', { name, exact: true }).evaluate(button =>
  button.getAttribute('aria-disabled') === 'true' ? document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? '' : null), { timeout: 10_000 }).toContain(reason)

describe('patients', () => {
  test('a patient is added; what is wrong is said at its field, and nothing typed is lost', async () => {
    const { page, complaints } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/patients`)
    await press(page, 'New patient')
    await page.getByLabel('First name').fill('Amparo')
    await page.getByLabel('E-mail address').fill('amparo at home')
    await press(page, 'Save')
    await heard(page, 'This is no e-mail address.')
    await expect.poll(() => focusedLabel(page)).toMatch(/^Last name/)

    await page.getByLabel('Last name').fill('Soler Vidal')
    await page.getByLabel('E-mail address').fill('amparo@patient.test')
    await page.getByLabel('Phone').fill('+34 600 111 222')
    expect(await page.getByLabel('First name').inputValue()).toBe('Amparo')
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Personal details' }).waitFor()
    await page.getByRole('link', { name: 'amparo@patient.test' }).waitFor()
    const id = page.url().split('/').at(-1)
    expect(await stored(`${PATIENTS}/${id}`)).toMatchObject({ first_name: 'Amparo', last_name: 'Soler Vidal', phone: '+34 600 111 222', locale: 'es' })

    await page.getByRole('heading', { name: 'Budgets' }).waitFor()
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    await press(page, 'New budget')
    await page.waitForURL(`**/budgets/new?patient=${id}`)
    expect(complaints).toEqual([])
  })

  test('the search stands in the address and comes back with it', async () => {
    const staff = await it.as('admin')
    await aPatient(staff, { first_name: 'Zacarías', last_name: 'Quintanilla' })
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/patients`)
    await page.getByRole('searchbox').fill('quintan')
    await page.waitForURL('**/patients?search=quintan')
    await heard(page, '1 entry')
    await page.reload()
    await heard(page, '1 entry')
    await page.getByRole('searchbox').fill('nobody is called so')
    await heard(page, 'Nothing matches')
    await press(page, 'Clear all filters')
    await page.getByRole('link', { name: 'Quintanilla, Zacarías' }).waitFor()
  })

  test('what somebody else saved meanwhile stands beside mine; mine goes over it, and their other field stays', async () => {
    const staff = await it.as('admin')
    const { id } = await aPatient(staff, { first_name: 'Ana', last_name: 'Ruiz', phone: '+34 600 000 001' })
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/patients/${id}`)
    await press(page, 'Change')
    await page.getByLabel('Phone').fill('+34 600 000 002')
    await staff.patch(`${PATIENTS}/${id}`, { phone: '+34 600 000 003', notes: 'Allergic to penicillin' })
    await press(page, 'Save')

    await heard(page, 'Somebody else saved this in the meantime')
    await heard(page, '+34 600 000 003')
    await heard(page, 'Allergic to penicillin')
    expect(await page.getByLabel('Phone').inputValue()).toBe('+34 600 000 002')
    await press(page, 'Save mine all the same')
    await page.getByRole('link', { name: '+34 600 000 002' }).waitFor()
    expect(await stored(`${PATIENTS}/${id}`)).toMatchObject({ phone: '+34 600 000 002', notes: 'Allergic to penicillin' })
  })

  test('or theirs are shown, and the form goes on from there', async () => {
    const staff = await it.as('admin')
    const { id } = await aPatient(staff, { first_name: 'Ana', last_name: 'Ruiz' })
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/patients/${id}`)
    await press(page, 'Change')
    await page.getByLabel('Last name').fill('Ruiz Peña')
    await staff.patch(`${PATIENTS}/${id}`, { last_name: 'Ruiz Pardo' })
    await press(page, 'Save')
    await press(page, 'Show what is saved now')
    expect(await page.getByLabel('Last name').inputValue()).toBe('Ruiz Pardo')
    await page.getByLabel('Notes').fill('Prefers mornings')
    await press(page, 'Save')
    await heard(page, 'Prefers mornings')
    expect(await stored(`${PATIENTS}/${id}`)).toMatchObject({ last_name: 'Ruiz Pardo', notes: 'Prefers mornings' })
  })

  test('what was typed is not left without being asked', async () => {
    const { id } = await aPatient(await it.as('admin'))
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/patients/${id}`)
    await press(page, 'Change')
    await page.getByLabel('Notes').fill('half a sentence')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByRole('link', { name: 'Invoices' }).first().click()
    await expect.poll(() => questions.join()).toContain('not saved yet')
    expect(page.url()).toContain(id)
    expect(await page.getByLabel('Notes').inputValue()).toBe('half a sentence')
  })

  test('budgets of the patient are listed, and the newest first', async () => {
    const staff = await it.as('admin')
    const { id } = await aPatient(staff)
    const draft = await aDraft(it, { patient_id: id })
    const { page } = await aStaffVisit(browser, it, { role: 'assistant' })
    await visitPage(page, `${it.url}/patients/${id}`)
    await page.getByRole('link', { name: draft.number }).waitFor()
    // An assistant may not read invoices: there is no section of them.
    expect(await page.getByRole('heading', { name: 'Invoices' }).count()).toBe(0)
  })

  test('a professional is added, and no longer offered once inactive', async () => {
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/patients`)
    await page.getByRole('link', { name: 'Professionals' }).click()
    await press(page, 'New professional')
    await page.getByLabel('Licence number').fill('28099999')
    await page.getByLabel('Name').fill('Dra. Olalla Prieto')
    await press(page, 'Save')
    await page.getByRole('link', { name: 'Dra. Olalla Prieto' }).click()
    await page.getByRole('switch', { name: 'Active' }).click()
    await press(page, 'Save')
    await heard(page, 'The professional was saved')
    await visitPage(page, `${it.url}/patients/professionals`)
    expect(await page.getByRole('link', { name: 'Dra. Olalla Prieto' }).count()).toBe(0)
    await visitPage(page, `${it.url}/patients/professionals?active=false`)
    await page.getByRole('link', { name: 'Dra. Olalla Prieto' }).waitFor()
  })
})

describe('treatments', () => {
  test('one is written in two languages, with the price as people type it', async () => {
    const { page, complaints } = await aStaffVisit(browser, it, { role: 'dentist' })
    await visitPage(page, `${it.url}/catalog`)
    await press(page, 'New treatment')
    await page.getByLabel('Price without tax').fill('1.234,5')
    await page.getByLabel('VAT').fill('7,5 %')
    await page.getByLabel('Code', { exact: true }).fill('ORT-77')
    await heard(page, '€1,327.09 with tax')
    await press(page, 'Save')
    await heard(page, 'Please fill this in.')
    await expect.poll(() => focusedLabel(page)).toMatch(/^Name \(Spanish\)/)

    await page.getByLabel('Name (Spanish)').fill('Férula de descarga')
    await press(page, /More languages/)
    await page.getByLabel('Name (English)').fill('Night guard')
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Details' }).waitFor()
    const id = page.url().split('/').at(-1)
    expect(await stored(`${TREATMENTS}/${id}`)).toMatchObject({ code: 'ORT-77', name: { es: 'Férula de descarga', en: 'Night guard' }, unit_price: '1234.50', vat: '7.5', active: true })
    expect(complaints).toEqual([])
  })

  test('a code that another one has is said at its field', async () => {
    await aTreatment(await it.as('admin'), { code: 'TAKEN-1' })
    const { page } = await aStaffVisit(browser, it, { role: 'dentist' })
    await visitPage(page, `${it.url}/catalog/new`)
    await page.getByLabel('Code').fill('TAKEN-1')
    await page.getByLabel('Name (Spanish)').fill('Otro')
    await page.getByLabel('Price without tax').fill('10')
    await page.getByLabel('VAT').fill('0')
    await press(page, 'Save')
    await heard(page, 'Another treatment has this code already.')
    await expect.poll(() => focusedLabel(page)).toMatch(/^Code/)
    await page.getByLabel('Code').fill('TAKEN-2')
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Details' }).waitFor()
  })

  test('a price that was changed meanwhile stands beside mine', async () => {
    const staff = await it.as('admin')
    const { id } = await aTreatment(staff, { unit_price: '50.00' })
    const { page } = await aStaffVisit(browser, it, { role: 'dentist' })
    await visitPage(page, `${it.url}/catalog/${id}`)
    await press(page, 'Change')
    await page.getByLabel('Price without tax').fill('55')
    await staff.patch(`${TREATMENTS}/${id}`, { unit_price: '60.00' })
    await press(page, 'Save')
    await heard(page, '€60.00')
    await press(page, 'Save mine all the same')
    await page.getByRole('heading', { name: 'Details' }).waitFor()
    expect((await stored(`${TREATMENTS}/${id}`)).unit_price).toBe('55.00')
  })

  test('one is no longer offered, and found again by the filter', async () => {
    const { id, code } = await aTreatment(await it.as('admin'), { name: { en: 'Amalgam filling' }, category: 'restoration' })
    const { page } = await aStaffVisit(browser, it, { role: 'dentist' })
    await visitPage(page, `${it.url}/catalog/${id}`)
    await press(page, 'Stop offering')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Budgets that exist do not change').waitFor()
    await dialog.getByRole('button', { name: 'Stop offering' }).click()
    await page.getByRole('button', { name: 'Offer again' }).waitFor()

    await visitPage(page, `${it.url}/catalog?search=${code}`)
    await heard(page, 'Nothing matches')
    await visitPage(page, `${it.url}/catalog?search=${code}&active=false&category=restoration`)
    await page.getByRole('link', { name: 'Amalgam filling' }).waitFor()
  })

  test('an assistant reads, and is told which permission writing needs', async () => {
    const { id } = await aTreatment(await it.as('admin'))
    const { page } = await aStaffVisit(browser, it, { role: 'assistant' })
    await visitPage(page, `${it.url}/catalog`)
    await expectWhyNot(page, 'New treatment', 'Permission denied: catalog.write')
    await visitPage(page, `${it.url}/catalog/${id}`)
    for (const action of ['Change', 'Stop offering']) await expectWhyNot(page, action, 'Permission denied: catalog.write')
    await visitPage(page, `${it.url}/catalog/new`)
    await heard(page, 'You may not see this page')
  })
})

describe('invoices', () => {
  test('a draft is issued, paid in two payments, and says at each step why the rest cannot be done', async () => {
    const id = await anInvoice(it)
    const { page, complaints } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/invoices/${id}`)
    await expectWhyNot(page, 'Record a payment', 'It is still a draft. Issue it first.')
    await press(page, 'Issue')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It gets its number and cannot be changed any more.').waitFor()
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.locator('#page-title', { hasText: /^INV-\d{4}-\d{4}$/ }).waitFor()
    await expectWhyNot(page, 'Issue', 'It is issued already.')

    await press(page, 'Record a payment')
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('121.00')
    await dialog.getByLabel('Amount').fill('121,01')
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.getByText('At most €121.00: no more is due.').waitFor()
    await expect.poll(() => focusedLabel(page)).toMatch(/^Amount/)
    await dialog.getByLabel('Amount').fill('60')
    await dialog.getByLabel('Note').fill('first half')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await heard(page, 'first half')
    await expectWhyNot(page, 'Cancel the invoice', 'It has payments. Correct it with a credit note in your accounts.')

    await press(page, 'Record a payment')
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('61.00')
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectWhyNot(page, 'Record a payment', 'It is paid in full.')
    expect(await stored(`${INVOICES}/${id}`)).toMatchObject({ status: 'paid', paid: '121.00', due: '0.00', payments: [{ amount: '60.00', method: 'card' }, { amount: '61.00' }] })
    expect(complaints).toEqual([])
  })

  test('a payment of an earlier day is recorded for that day of the clinic', async () => {
    const { id } = await anIssuedInvoice(it, await it.as('admin'))
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/invoices/${id}`)
    await press(page, 'Record a payment')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Date').fill('2026-01-15')
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await stored(`${INVOICES}/${id}`)).payments[0].paid_at).toBe('2026-01-15T11:00:00.000Z')
  })

  test('what somebody else paid meanwhile is taken off what is due', async () => {
    const staff = await it.as('admin')
    const { id } = await anIssuedInvoice(it, staff)
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/invoices/${id}`)
    await press(page, 'Record a payment')
    await staff.post(`${INVOICES}/${id}/payments`, { amount: '100.00', method: 'cash' })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.getByText('At most €21.00: no more is due.').waitFor()
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('121.00')
    await dialog.getByLabel('Amount').fill('21')
    await dialog.getByRole('button', { name: 'Record a payment' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await stored(`${INVOICES}/${id}`)).status).toBe('paid')
  })

  test('one is cancelled with a reason, which it then shows', async () => {
    const id = await anInvoice(it)
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/invoices/${id}`)
    await press(page, 'Cancel the invoice')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel the invoice' }).click()
    await dialog.getByText('Please fill this in.').waitFor()
    await dialog.getByLabel('Reason').fill('Written twice')
    await dialog.getByRole('button', { name: 'Cancel the invoice' }).click()
    await dialog.waitFor({ state: 'detached' })
    await heard(page, 'Written twice')
    await expectWhyNot(page, 'Cancel the invoice', 'It is cancelled already.')
  })

  test('the list is counted by state, sorted and searched, all in the address', async () => {
    const clinic = await it.anotherClinic()
    await someInvoices(it, 3, { clinic, last_name: 'Zubiri' })
    await someInvoices(it, 1, { clinic, total: 500_000 })
    const { page } = await aStaffVisit(browser, it, { clinic })
    await visitPage(page, `${it.url}/invoices`)
    const tabs = page.getByRole('navigation', { name: 'Invoices by state' })
    await tabs.getByRole('link', { name: /Drafts\s*4/ }).click()
    await page.waitForURL('**/invoices?status=draft')
    await press(page, 'Sort by Total')
    await page.waitForURL(/sort=-total/)
    await page.getByRole('row').nth(1).getByText('€5,000.00').first().waitFor()
    await page.getByRole('searchbox').fill('zubiri')
    await heard(page, '3 entries')
    await tabs.getByRole('link', { name: /All\s*3/ }).waitFor()
  })

  test('the PDF is a plain link', async () => {
    const id = await anInvoice(it)
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/invoices/${id}`)
    const href = await page.getByRole('link', { name: 'PDF' }).getAttribute('href')
    const response = await page.request.get(new URL(href!, it.url).href)
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf'])
  })

  test('a dentist reads only; an assistant sees that the page is not theirs', async () => {
    const id = await anInvoice(it)
    const dentist = await aStaffVisit(browser, it, { role: 'dentist' })
    await visitPage(dentist.page, `${it.url}/invoices/${id}`)
    for (const action of ['Issue', 'Record a payment', 'Cancel the invoice']) await expectWhyNot(dentist.page, action, 'Permission denied: billing.write')
    const assistant = await aStaffVisit(browser, it, { role: 'assistant' })
    await visitPage(assistant.page, `${it.url}/invoices`)
    await heard(assistant.page, 'Permission denied: billing.read')
  })

  test('another clinic\'s invoice is not there', async () => {
    const id = await anInvoice(it, { clinic: await it.anotherClinic() })
    const { page } = await aStaffVisit(browser, it)
    await visitPage(page, `${it.url}/invoices/${id}`)
    await heard(page, 'There is nothing here (any more).')
  })
})

describe('each screen', () => {
  const places: Record<string, () => Promise<string>> = {
    'list of patients': async () => '/patients',
    'form of a patient': async () => '/patients/new',
    'page of a patient': async () => `/patients/${(await aDraft(it)).patient.id}`,
    'list of professionals': async () => '/patients/professionals',
    'page of a professional': async () => `/patients/professionals/${(await aProfessional(it)).id}`,
    'list of treatments': async () => '/catalog?active=all',
    'form of a treatment': async () => '/catalog/new',
    'page of a treatment': async () => `/catalog/${(await aTreatment(await it.as('admin'))).id}`,
    'list of invoices': async () => '/invoices',
    'page of an invoice': async () => `/invoices/${(await anIssuedInvoice(it, await it.as('admin'))).id}`
  }

  test.each(Object.keys(places))('%s passes axe and does not scroll sideways, in English and Arabic, light and dark, wide and narrow', async (place) => {
    const path = await places[place]!()
    for (const locale of ['en', 'ar']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const viewport of [DESK, { width: 320, height: 700 }]) {
          const { page, context } = await aStaffVisit(browser, it, { role: 'admin', locale, colorScheme, viewport })
          await visitPage(page, it.url + path)
          await expectAccessible(page)
          await context.close()
        }
      }
    }
  })

  test('the dialog of a payment passes axe, and gives the focus back', async () => {
    const { id } = await anIssuedInvoice(it, await it.as('admin'))
    const { page } = await aStaffVisit(browser, it, { colorScheme: 'dark' })
    await visitPage(page, `${it.url}/invoices/${id}`)
    await page.getByRole('button', { name: 'Record a payment' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Amount').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Record a payment')
  })
})
