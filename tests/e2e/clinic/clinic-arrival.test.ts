import type { ChildProcess } from 'node:child_process'
import { startEmbedded } from '@svc/embedded-postgres'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisit, DESK, PHONE, theBrowser } from '../../support/browser/browser.ts'
import { SECRET, startBuilt, stop } from '../../support/browser/built-server.ts'
import { enterCode } from '../../support/browser/patient-page.ts'
import { aFolder, svc } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'

/** An instance with an empty database. */
const folder = aFolder()
let embedded: Awaited<ReturnType<typeof startEmbedded>>
let browser: Browser
let server: ChildProcess
let url: string
beforeAll(async () => {
  embedded = await startEmbedded({ storage: folder.path, root, settings: { fsync: 'off' } })
  browser = await theBrowser()
  ;({ url, server } = await startBuilt({ DATABASE_URL: embedded.url(), SVC_STORAGE: folder.path }))
})
afterAll(async () => {
  await stop(server)
  await embedded?.release()
  folder.remove()
})

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
    .or(page.getByRole('main').getByRole('link', { name, exact: true }))
    .click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first().waitFor()
/** Until the response arrives, the previous entries cannot be selected. */
const take = (page: Page, name: string) => page.locator('[role=option]:not([data-disabled])', { hasText: name }).click()
const counts = async (page: Page) =>
  Object.fromEntries(
    await page.locator('dl > div').evaluateAll(boxes =>
      boxes.map(box => [...box.children].map(child => child.textContent!.trim())))
  ) as Record<string, string>

/**
 * A Spanish file as practice systems write it: semicolons, Windows-1252, commas in amounts, and seven unreadable cells
 * that only lose their own value.
 */
const patients = Buffer.from([
  'Nº paciente;Nombre;Apellidos;Correo electrónico;Teléfono;Fecha de nacimiento',
  ...Array.from({ length: 500 }, (_, n) =>
    `P${n};Muñoz ${n};Núñez;${n < 5 ? 'sin correo' : `p${n}@patient.example`};+34 600 ${100_000 + n};${n === 5 || n === 6 ? '31/02/1980' : '3/4/1985'}`)
].join('\r\n'), 'latin1')
/** Three invalid rows. Byte 0x80 is the euro sign in this encoding. */
const treatments = Buffer.from([
  'Código;Nombre;Precio;IVA',
  ...Array.from({ length: 150 }, (_, n) => `T-${n};Tratamiento ${n};${n < 3 ? 'consultar' : `1.${100 + n},50 \u0080`};0`)
].join('\r\n'), 'latin1')

async function importFile(page: Page, list: string, file: Buffer, { right, wrong }: { right: number, wrong: number }) {
  await page.goto(`${url}${list}`)
  await press(page, 'Import (CSV)')
  await page.locator('input[type=file]').setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: file })
  await press(page, 'Check the file')
  await heading(page, 'Check before you import')
  expect(await counts(page)).toEqual({ 'New': String(right), 'Changed': '0', 'Unchanged': '0', 'Rows with errors': String(wrong) })
  await press(page, `Import ${right} rows`)
  await page.getByText('Import finished').first().waitFor()
  expect((await counts(page)).New).toBe(String(right))
}

test('an empty database becomes a clinic with 500 patients, 150 treatments and a first accepted budget', async () => {
  const env = { DATABASE_URL: embedded.url(), SVC_STORAGE: folder.path, SVC_SECRET: SECRET }
  const code = (await svc(['setup', 'code'], { env })).stdout.trim()
  const { page, complaints } = await aVisit(browser, { viewport: DESK, locale: 'en', timezoneId: 'Europe/Madrid' })
  await page.goto(url)
  await page.getByLabel('Set-up code').fill(code)
  await press(page, 'Next')
  await page.getByLabel('Clinic name').fill('Clínica Sol')
  // Typing replaces the suggested country.
  await page.getByLabel('Country').click()
  await page.keyboard.type('Spa')
  await take(page, 'Spain')
  await press(page, 'Next')
  await page.getByLabel('Full name').fill('Elena Vidal')
  await page.getByLabel('Email address').fill('elena@clinic.example')
  await page.getByLabel('Password').fill('four unrelated words here')
  await press(page, 'Next')
  await page.getByLabel('With an empty catalogue').click()
  await press(page, 'Finish setup')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page.getByRole('region', { name: 'First steps' }).waitFor()

  await importFile(page, '/patients', patients, { right: 500, wrong: 0 })
  await importFile(page, '/catalog', treatments, { right: 147, wrong: 3 })

  // The imported price is used, and one price is changed by hand.
  await page.goto(`${url}/catalog?search=T-149`)
  await page.getByRole('link', { name: 'Tratamiento 149' }).click()
  await page.getByText('€1,249.50').first().waitFor()
  await press(page, 'Edit')
  await page.getByLabel(/^Price with/).fill('200')
  await press(page, 'Save')
  await page.getByText('€200.00').first().waitFor()
  await page.goto(`${url}/patients/professionals/new`)
  await page.getByLabel('Name').fill('Elena Vidal')
  await press(page, 'Save')
  await page.getByRole('link', { name: 'Elena Vidal' }).waitFor()

  await page.goto(`${url}/budgets`)
  await press(page, 'New budget')
  await page.getByRole('combobox', { name: 'Patient' }).click()
  await page.keyboard.type('Muñoz 499')
  await take(page, 'Muñoz 499')
  // The clinic's only clinician is preselected.
  await page.getByLabel('Clinician', { exact: true }).getByText('Elena Vidal').waitFor()
  for (const name of ['Tratamiento 149', 'Tratamiento 50']) {
    await page.getByRole('combobox', { name: 'Add a treatment: name or code' }).click()
    await page.keyboard.type(name)
    await take(page, name)
  }
  await page.getByText('€1,350.50').first().waitFor()
  await press(page, 'Save and send')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Hand it over yourself' }).check()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  const noted = (await page.locator('[data-code]').textContent())!.replace(/\D/g, '')
  await press(page, 'I have noted the code')
  const link = new URL(await page.getByRole('textbox', { name: 'Link' }).inputValue())

  const phone = await aVisit(browser, { viewport: PHONE, isMobile: true, hasTouch: true })
  await phone.page.goto(`${url}${link.pathname}?locale=en`)
  await enterCode(phone.page, noted)
  await phone.page.getByText('€1,350.50').first().waitFor()
  await press(phone.page, 'Accept')
  await phone.page.getByRole('checkbox').check()
  await press(phone.page, 'Confirm and accept')
  await phone.page.getByRole('heading', { name: /Thank you/ }).waitFor()
  await page.getByText(/accepted this budget/).first().waitFor()
  expect(complaints).toEqual([])
})
