import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBrowser } from '../support/browser.ts'
import { aDraft, aPatient, aSentBudget, aTreatment } from '../support/builders.ts'
import { aBuiltInstance, type Built } from '../support/built.ts'
import { anInvoice } from '../support/invoices.ts'
import { GRANTED, ROLES } from '../support/staff-endpoints.ts'
import { aStaffVisit, visitPage } from '../support/staff-page.ts'

/** What the roles see of the clinic's screens: the sidebar, each page, and each action with the permission that it needs. */
let it: Built
let browser: Browser
const ids: Record<'draft' | 'sent' | 'patient' | 'treatment' | 'invoice', string> = {} as never

beforeAll(async () => {
  it = await aBuiltInstance()
  browser = await aBrowser()
  const staff = await it.as('admin')
  Object.assign(ids, {
    draft: (await aDraft(it)).id, sent: (await aSentBudget(it)).id, patient: (await aPatient(staff)).id, treatment: (await aTreatment(staff)).id, invoice: await anInvoice(it)
  })
})
afterAll(async () => {
  await browser?.close()
  await it?.close()
})

const PLACES: Record<string, string> = {
  'Budgets': 'budget.read', 'Patients': 'clinical.read', 'Treatments': 'catalog.read', 'Invoices': 'billing.read', 'Reports': 'reports.read',
  'Users': 'users.manage', 'Webhooks': 'webhooks.manage', 'Clinic settings': 'clinic.manage', 'Modules': 'modules.manage'
}

interface Screen { path: () => string, needs: string, /** Name of a control → its permission. */ actions?: Record<string, string>, /** Opens what holds them. */ open?: (page: Page) => Promise<void> }

const SCREENS: Record<string, Screen> = {
  'list of budgets': { path: () => '/budgets', needs: 'budget.read', actions: { 'New budget': 'budget.write' } },
  'new budget': { path: () => '/budgets/new', needs: 'budget.write', actions: { 'Save draft': 'budget.write', 'Save and send': 'budget.write' } },
  'change of a draft': { path: () => `/budgets/${ids.draft}/edit`, needs: 'budget.write' },
  'draft': {
    path: () => `/budgets/${ids.draft}`, needs: 'budget.read',
    actions: { 'Edit': 'budget.write', 'Send': 'budget.write', 'Duplicate': 'budget.write', 'Cancel the budget': 'budget.write', 'Delete the draft': 'budget.write', 'Preview as patient': 'budget.read' },
    open: page => page.getByRole('button', { name: 'More', exact: true }).click()
  },
  'sent budget': {
    path: () => `/budgets/${ids.sent}`, needs: 'budget.read',
    actions: { 'Accept in the clinic': 'budget.write', 'Reject in the clinic': 'budget.write', 'Send again': 'budget.write', 'Make a new link': 'budget.write', 'Revise': 'budget.write', 'Preview as patient': 'budget.read' },
    open: page => page.getByRole('button', { name: 'More', exact: true }).click()
  },
  'preview': { path: () => `/budgets/${ids.sent}/preview`, needs: 'budget.read' },
  'patients': { path: () => '/patients', needs: 'clinical.read', actions: { 'New patient': 'clinical.write' } },
  'patient': { path: () => `/patients/${ids.patient}`, needs: 'clinical.read', actions: { 'Change': 'clinical.write', 'New budget': 'budget.write' } },
  'professionals': { path: () => '/patients/professionals', needs: 'clinical.read', actions: { 'New professional': 'clinical.write' } },
  'treatments': { path: () => '/catalog', needs: 'catalog.read', actions: { 'New treatment': 'catalog.write' } },
  'new treatment': { path: () => '/catalog/new', needs: 'catalog.write' },
  'treatment': { path: () => `/catalog/${ids.treatment}`, needs: 'catalog.read', actions: { 'Change': 'catalog.write', 'Stop offering': 'catalog.write' } },
  'invoices': { path: () => '/invoices', needs: 'billing.read' },
  'draft of an invoice': { path: () => `/invoices/${ids.invoice}`, needs: 'billing.read', actions: { 'Issue': 'billing.write', 'Cancel the invoice': 'billing.write' } },
  'reports': { path: () => '/reports', needs: 'reports.read' },
  'users': { path: () => '/users', needs: 'users.manage' },
  'webhooks': { path: () => '/webhooks', needs: 'webhooks.manage' },
  'clinic': { path: () => '/clinic', needs: 'clinic.manage' },
  'modules': { path: () => '/modules', needs: 'modules.manage' }
}

const has = (role: typeof ROLES[number], permission: string) => GRANTED[permission]!.includes(role)

/** The words that a screen reader adds to a control. */
const reasonOf = (control: Locator) => control.evaluate(element => (element.getAttribute('aria-describedby') ?? '').split(' ').map(id => document.getElementById(id)?.textContent ?? '').join(' '))

describe.each(ROLES)('%s', (role) => {
  test('sees in the sidebar the places that the role may go to, and no other', async () => {
    const { page, context } = await aStaffVisit(browser, it, { role })
    await visitPage(page, `${it.url}/account`)
    const seen = await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allInnerTexts()
    expect(seen.map(text => text.trim()).sort()).toEqual(Object.keys(PLACES).filter(place => has(role, PLACES[place]!)).sort())
    await context.close()
  })

  test('finds each page open, or the permission that is missing; and each action likewise', async () => {
    const { page, context } = await aStaffVisit(browser, it, { role })
    for (const [name, { path, needs, actions = {}, open }] of Object.entries(SCREENS)) {
      await visitPage(page, it.url + path())
      const denied = await page.getByText(`Permission denied: ${needs}`).isVisible()
      expect([name, denied]).toEqual([name, !has(role, needs)])
      if (denied) continue
      await open?.(page)
      for (const [action, permission] of Object.entries(actions)) {
        const control = page.getByRole('button', { name: action, exact: true }).or(page.getByRole('link', { name: action, exact: true })).first()
        await control.waitFor()
        const refused = await control.getAttribute('aria-disabled') === 'true' && (await reasonOf(control)).includes(`Permission denied: ${permission}`)
        expect([name, action, refused]).toEqual([name, action, !has(role, permission)])
      }
    }
    await context.close()
  })
})

test('who works in two clinics changes between them, and sees the budgets of one at a time', async () => {
  const other = await it.anotherClinic()
  const { body: { data: me } } = await (await it.as('receptionist')).get('/me')
  await it.sql`insert into core_membership (clinic_id, user_id, role) values (${other.id}, ${me.user.id}, 'admin')`
  const { page, context } = await aStaffVisit(browser, it)
  await visitPage(page, `${it.url}/budgets`)
  expect(await page.getByRole('table').getByRole('link').count()).toBeGreaterThan(0)

  await page.getByRole('button', { name: /^Change the clinic/ }).click()
  await page.getByRole('menuitemcheckbox', { name: /Another Clinic/ }).click()
  await page.getByText('Another Clinic').first().waitFor()
  await page.waitForURL(`${it.url}/budgets`)
  await page.getByText('Nothing here yet').waitFor()
  // There, the person has another role.
  await page.getByRole('link', { name: 'Clinic settings' }).waitFor()
  await context.close()
})
