import { rmSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbedded } from '@svc/embedded-postgres'
import { aVisit, DESK, theBrowser } from '../../support/browser/browser.ts'
import { aSentBudget, aTreatment, eventually } from '../../support/builders.ts'
import { startBuilt, stop } from '../../support/browser/built-server.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { createCaller } from '../../support/caller.ts'
import { aQuickFolder } from '../../support/database/quick-folder.ts'
import { root } from '../../support/modules/official.ts'
import { PASSWORD } from '../../support/people.ts'
import { aReceiver, type Receiver } from '../../support/outside/receiver.ts'
import {
  aStaffVisit,
  aWalk,
  expectAccessible,
  expectAllVariants,
  expectWhyNot,
  visitPage,
  type Walk
} from '../../support/browser/staff-page.ts'
import { sealAgain } from '../../support/documents/seals.ts'

/** A server for this file only: the tests restart it, and it sends webhooks to this machine. */
const storage = aQuickFolder('svc-administration-')
let embedded: Awaited<ReturnType<typeof startEmbedded>>
let server: ChildProcess
let instance: Built
let browser: Browser
let receiver: Receiver

const environment = () => ({ DATABASE_URL: embedded.url(), SVC_STORAGE: storage, SVC_WEBHOOK_ALLOW_PRIVATE: '1' })

beforeAll(async () => {
  embedded = await startEmbedded({ storage, root })
  const built = await startBuilt(environment())
  server = built.server
  instance = await aBuiltInstance({ url: built.url, databaseUrl: embedded.url(), storage })
  browser = await theBrowser()
  receiver = await aReceiver()
})
afterAll(async () => {
  await receiver?.close()
  await instance?.close()
  if (server) await stop(server)
  await embedded?.release()
  rmSync(storage, { recursive: true, force: true })
})

const me = async (clinic = instance.clinic) => (await (await instance.as('admin', clinic)).get('/me')).body.data
const opened = async (path: string, options: Parameters<typeof aStaffVisit>[2] = {}) => {
  const visit = await aStaffVisit(browser, instance, { role: 'admin', ...options })
  await visitPage(visit.page, `${instance.url}${path}`)
  return visit
}
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** The administrator of a separate clinic, who is also the administrator of the instance. */
async function anInstanceAdmin() {
  const clinic = await instance.anotherClinic()
  const { user } = await me(clinic)
  await instance.sql`update core_user set instance_admin = true where id = ${user.id}`
  await sealAgain(instance.sql, 'user')
  return clinic
}

describe('the sign-in', () => {
  test('reports a wrong password, and opens the requested page after the right one', async () => {
    const { user } = await me()
    const { page } = await aVisit(browser, { viewport: DESK })
    await page.goto(`${instance.url}/users`)
    await page.waitForURL(/\/login\?to=/)
    await page.getByLabel('Email address').fill(user.email)
    await page.getByLabel('Password').fill('not this one')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Wrong email address or password.').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${instance.url}/users`)
    await page.getByRole('heading', { name: 'Users' }).waitFor()
  })

  test('is possible for an invited person who got the link without email and chose a password', async () => {
    const admin = await opened('/users/new')
    await admin.page.getByLabel('First name').fill('Marta')
    await admin.page.getByLabel('Last name').fill('Solé')
    await admin.page.getByLabel('Email address').fill('marta@clinic.test')
    await admin.page.getByRole('radio', { name: /^Hygienist/ }).check()
    await admin.page.getByRole('button', { name: 'Send invitation' }).click()
    await admin.page.getByRole('heading', { name: 'No email was sent to marta@clinic.test' }).waitFor()
    await said(admin.page, 'This service has no mail server.')
    const first = await admin.page.getByRole('textbox', { name: 'Link to choose a password' }).inputValue()
    await expectAccessible(admin.page)
    await admin.page.getByRole('link', { name: 'Go to this person' }).click()
    await said(admin.page, 'The invitation hasn’t been accepted yet.')
    await admin.page.getByRole('button', { name: 'Send new link' }).click()
    const link = await admin.page.getByRole('textbox', { name: 'Link to choose a password' }).inputValue()
    expect(link).not.toBe(first)

    const { page, leave } = await aVisit(browser)
    await page.goto(`${instance.url}/invitation${new URL(link).hash}`)
    await page.getByLabel('New password', { exact: true }).fill('a password of my own')
    await page.getByLabel('Repeat the new password').fill('a password of my own')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill('marta@clinic.test')
    await page.getByLabel('Password').fill('a password of my own')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('#content').waitFor()

    await admin.page.reload()
    await said(admin.page, 'This person can sign in to the clinic.')
    await leave()
  })

  test('asks for the password over the page when the session ends during work, and then continues', async () => {
    const clinic = await instance.anotherClinic()
    const { page } = await opened('/users/new', { clinic })
    await page.getByLabel('First name').fill('Pere')
    await page.getByLabel('Last name').fill('Vila')
    await page.getByLabel('Email address').fill('pere@clinic.test')
    await page.getByRole('radio', { name: /With a password/ }).check()
    await page.getByLabel('Password', { exact: true }).fill('a first password')
    await instance.sql`delete from core_session where user_id = ${(await me(clinic)).user.id}`
    await page.getByRole('button', { name: 'Add a person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Pere Vila' }).waitFor()
  })
})

describe('the users of a clinic', () => {
  test('can change role, except the last administrator, and cannot sign in once deactivated', async () => {
    const clinic = await instance.anotherClinic()
    const { user } = await me(clinic)
    const staff = createCaller(instance.url, { bearer: await instance.session('assistant', clinic) })
    const other = (await staff.get('/me')).body.data.user
    const { page } = await opened(`/users/${user.id}`, { clinic })
    await page.getByRole('radio', { name: /^Dentist/ }).check()
    await said(page, 'This is your own role.')
    await page.getByRole('button', { name: 'Save role' }).click()
    await page.getByRole('alert').getByText('Make someone else an administrator first').waitFor()
    await page.getByRole('radio', { name: /^Administrator/ }).check()

    await page.getByRole('link', { name: 'Users', exact: true }).first().click()
    await page.getByPlaceholder('Name or email address').fill(other.email)
    await page.getByRole('link', { name: 'assistant, Rosa' }).click()
    await page.getByRole('radio', { name: /^Receptionist/ }).check()
    await page.getByRole('button', { name: 'Save role' }).click()
    await said(page, 'The role was changed')
    expect((await staff.get('/me')).body.data.role).toBe('receptionist')
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await said(page, 'This person can’t sign in to the clinic.')
    expect((await staff.get('/me')).status).toBe(401)
  })
})

describe('the settings of the clinic', () => {
  test('show fields that both changed side by side, and keep fields that only the other person changed', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    const { page } = await opened('/clinic', { clinic })
    await page.getByLabel('Phone').fill('+34 600 111 111')
    await page.getByLabel('Address', { exact: true }).fill('Calle Mayor 1')
    await admin.patch('/api/v1/clinic', { phone: '+34 600 222 222', budget_validity_days: 45 })
    await page.getByRole('button', { name: 'Save' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'Someone else saved changes meanwhile' })
    await notice.getByText('+34 600 222 222').waitFor()
    await notice.getByText('+34 600 111 111').waitFor()
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('Calle Mayor 1')
    // The record is changed once more while the conflict is read.
    await admin.patch('/api/v1/clinic', { phone: '+34 600 333 333' })
    await notice.getByRole('button', { name: 'Save mine anyway' }).click()
    await notice.getByText('+34 600 333 333').waitFor()
    await notice.getByRole('button', { name: 'Save mine anyway' }).click()
    await said(page, 'The settings were saved')
    expect((await admin.get('/api/v1/clinic')).body.data).toMatchObject({
      phone: '+34 600 111 111',
      address: 'Calle Mayor 1',
      budget_validity_days: 45
    })
  })

  test('report a colour that is too light at once, and keep the currency when there are budgets', async () => {
    await aSentBudget(instance)
    const { page } = await opened('/clinic')
    expect(await page.getByLabel('Currency').isDisabled()).toBe(true)
    await said(page, 'The currency can’t be changed')
    await page.getByPlaceholder('#15535e').fill('#ffcc00')
    await said(page, /Too light: white text/)
    await page.getByPlaceholder('#15535e').fill('#0f766e')
    await said(page, /Readable: contrast 5.5/)
    await page.getByRole('button', { name: 'Save' }).click()
    await said(page, 'The settings were saved')
  })

  test('refuse a currency with other decimals than the catalog\'s, and show the previous currency again', async () => {
    const clinic = await instance.anotherClinic()
    await (
      await instance.as('admin', clinic)
    ).post('/api/v1/catalog/treatments', { code: 'X', name: { en: 'Health check' }, unit_price: '100.00', vat: '0' })
    const { page } = await opened('/clinic', { clinic })
    await page.getByLabel('Currency').fill('JPY')
    await page.getByRole('option', { name: /^JPY/ }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('The currency can’t be changed').waitFor()
    await expect.poll(() => page.getByLabel('Currency').inputValue()).toMatch(/^EUR/)
  })

  test('show before saving which prices will be converted to include tax, and then label every price', async () => {
    const clinic = await instance.anotherClinic()
    const staff = await instance.as('admin', clinic)
    await aTreatment(staff, { unit_price: '247.93', vat: '21', name: { en: 'Whitening' } })
    await aTreatment(staff, { unit_price: '60.00', vat: '0' })
    const catalog = await opened('/catalog', { clinic })
    await catalog.page.getByRole('columnheader', { name: 'Price without tax' }).waitFor()
    await catalog.leave()

    const { page, leave, complaints } = await opened('/clinic', { clinic })
    await said(page, 'Prices in the catalogue')
    expect(await page.getByRole('radio', { name: /^Without tax/ }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: /^With tax/ }).check()
    await said(page, '1 treatment gets a new price.')
    await said(page, 'Existing budgets, drafts included, keep their prices.')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await said(page, 'The settings were saved')
    await page.getByText('1 treatment gets a new price.').waitFor({ state: 'detached' })
    await leave()
    expect(complaints).toEqual([])

    const after = await opened('/catalog', { clinic })
    await after.page.getByRole('columnheader', { name: 'Price with tax' }).waitFor()
    await said(after.page, '€300.00')
    await visitPage(after.page, `${instance.url}/budgets/new`)
    await after.page.getByRole('combobox', { name: /^Add a treatment/ }).fill('Whitening')
    await said(after.page, '€300.00 with tax')
    await after.page.locator('[role=option]:not([data-disabled])', { hasText: 'Whitening' }).click()
    expect(await after.page.getByLabel('Unit price, with tax').inputValue()).toBe('300.00')
    await expect.poll(() => after.page.locator('[data-total]').textContent()).toContain('€300.00')
  })
})

test('a webhook shows its secret once, can resend one or all failed deliveries, and sends none while off', async () => {
  receiver.answer('/hook', 500)
  const { page } = await opened('/webhooks/new')
  await page.getByLabel('URL').fill(`${receiver.url}/hook`)
  await page.getByRole('radio', { name: 'Only these' }).check()
  await page.getByRole('checkbox', { name: 'budget.sent' }).check()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/)
  await page.getByRole('link', { name: 'I have saved it' }).click()
  await said(page, 'No deliveries yet')

  await aSentBudget(instance)
  // The first automatic retry comes after seconds, the next one after minutes.
  await eventually(
    async () =>
      (
        await instance.sql`
    select 1 from core_webhook_delivery where failures = 2 and webhook_id in (select id from core_webhook where url = ${`${receiver.url}/hook`})`
      ).length > 0,
    'the second failure'
  )
  await page.reload()
  await said(page, /Failing since/)
  await page.getByRole('link', { name: /^Webhooks\s*Failing$/ }).waitFor() // in the sidebar of every page
  await page.getByRole('button', { name: 'budget.sent' }).click()
  await said(page, 'it says 500')
  receiver.answer('/hook', 204)
  await page.getByRole('button', { name: 'Send now' }).click()
  await receiver.at('/hook', 3)
  await page.getByRole('table').getByText('Delivered').waitFor()

  const again = page.getByRole('button', { name: 'Resend all failed deliveries' })
  await expect.poll(() => again.getAttribute('aria-disabled')).toBe('true')
  await instance.sql`update core_webhook_delivery set status = 'failed', failures = 8, next_attempt_at = null where webhook_id in (select id from core_webhook where url = ${`${receiver.url}/hook`})`
  await page.reload()
  await page.getByRole('table').getByText('Failed').waitFor()
  await again.click()
  await said(page, 'Resending 1 delivery.')
  await receiver.at('/hook', 4)
  await page.getByRole('table').getByText('Delivered').waitFor()

  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Turn on' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Resend', exact: true }).getAttribute('aria-disabled')).toBe('true')

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(`${instance.url}/webhooks`)
})

test('a webhook that another person changed shows both values, and saves ours only after a confirmation', async () => {
  const admin = createCaller(instance.url, { bearer: await instance.session('admin') })
  const { id } = (await admin.post('/api/v1/webhooks', { url: `${receiver.url}/shared`, events: ['budget.sent'] })).body
    .data
  const { page } = await opened(`/webhooks/${id}/edit`)
  await admin.patch(`/api/v1/webhooks/${id}`, { url: `${receiver.url}/theirs`, active: false })
  await page.getByLabel('URL').fill(`${receiver.url}/ours`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Someone else saved changes meanwhile' })
  await notice.getByText(`${receiver.url}/theirs`).waitFor()
  await notice.getByText(`${receiver.url}/ours`).waitFor()
  await notice.getByRole('button', { name: 'Save mine anyway' }).click()
  await page.waitForURL(`${instance.url}/webhooks/${id}`)
  expect((await admin.get(`/api/v1/webhooks/${id}`)).body.data).toMatchObject({
    url: `${receiver.url}/ours`,
    events: ['budget.sent']
  })
  await admin.delete(`/api/v1/webhooks/${id}`)
})

describe('the page of the modules', () => {
  test('is refused to an administrator of the clinic only', async () => {
    const { page } = await opened('/modules')
    await said(page, /Permission denied: modules\.manage/)
  })

  test('shows the effects of a removal, or why it is refused, before the removal is planned', async () => {
    const { page } = await opened('/modules/billing', { clinic: await anInstanceAdmin() })
    await page.getByRole('button', { name: 'Uninstall' }).click()
    const dialog = page.getByRole('dialog', { name: 'Uninstall billing?' })
    await dialog.getByText('billing is required by reports').waitFor()
    await dialog.getByRole('checkbox', { name: 'Even if other modules require it' }).check()
    await dialog.getByText('write a backup').waitFor()
    await dialog.getByText('billing_invoice', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await said(page, 'Last steps')
  })

  test('has a disabled button for a module that can never be removed, with an understandable reason', async () => {
    const { page } = await opened('/modules/reports', { clinic: await anInstanceAdmin() })
    await expectWhyNot(page, 'Uninstall', 'This module has no database tables of its own, so its removal could not be undone. It stays installed.')
    expect(await page.locator('main').textContent()).not.toContain('Alembic')
  })

  test('shows the progress of a restart: requested, stopped, back', async () => {
    const { page } = await opened('/modules', { clinic: await anInstanceAdmin() })
    await page.getByRole('button', { name: 'Restart now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart now' }).click()
    await said(page, 'The service is restarting')
    await said(page, 'Disconnected') // only the next line starts this server again
    server = (await startBuilt({ ...environment(), PORT: new URL(instance.url).port })).server
    await said(page, 'The service has restarted')
    await page.getByRole('link', { name: 'budget', exact: true }).waitFor()
  })
})

describe('every administration page is accessible:', () => {
  const PLACES = [
    '/users',
    '/users/new',
    '/clinic',
    '/webhooks',
    '/webhooks/new',
    '/tokens',
    '/tokens/new',
    '/audit',
    '/modules',
    '/modules/billing',
    '/account'
  ]

  let walk: Walk
  beforeAll(async () => {
    walk = await aWalk(browser, instance, { role: 'admin', clinic: await anInstanceAdmin() })
  })
  afterAll(() => walk.leave())

  test.each(PLACES)('%s', path => expectAllVariants(walk, path))

  test('an IPv4 address of the audit log is on one line, and no address makes the page scroll sideways', async () => {
    const ipv4 = '255.255.255.255'
    const addresses = [ipv4, '2001:db8:85a3:1111:2222:8a2e:370:7334', '::ffff:255.255.255.255', 'a3f1c0de'.repeat(8)]
    const { page } = await aStaffVisit(browser, instance, { role: 'admin' })
    await page.route('**/api/v1/audit?*', async (route) => {
      const response = await route.fetch()
      const { data: [row], ...body } = await response.json()
      const detail = { name: 'A name that leaves little room for other columns '.repeat(10).trim() }
      const data = addresses.map(address => ({ ...row, id: crypto.randomUUID(), detail, address }))
      await route.fulfill({ response, json: { ...body, data } })
    })
    // A phone, and the narrowest window in which the table has this column.
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      await visitPage(page, `${instance.url}/audit`)
      const lines = await page.getByText(ipv4, { exact: true }).evaluateAll(found =>
        found.map(one => one.getClientRects().length))
      // The table cuts the longer ones, so that each row has one line.
      expect(lines.slice(0, width < 640 ? 2 : 1), `alone and within an IPv6 address, ${width} px`)
        .toEqual(width < 640 ? [1, 1] : [1])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    }
  })

  test('/login, also in Arabic and in dark mode', async () => {
    for (const [locale, colorScheme] of [['en', 'light'], ['ar', 'dark']] as const) {
      const { page, leave } = await aVisit(browser, { colorScheme })
      await page.goto(`${instance.url}/login?locale=${locale}`)
      await page.locator('form').waitFor()
      await expectAccessible(page)
      await leave()
    }
  })

  test('the command palette reaches every page by keyboard', async () => {
    const { page } = await opened('/users')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'My account' }).waitFor()
    await page.keyboard.type('clinic set')
    await page.getByRole('option', { name: 'My account' }).waitFor({ state: 'detached' })
    await page.locator('[role=option][data-highlighted]', { hasText: 'Clinic settings' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${instance.url}/clinic`)
  })
})
