import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import {
  ACCEPTANCE,
  aDraft,
  aPatient,
  aProfessional,
  aSentBudget,
  aTreatment,
  aVerifiedPatient,
  eventually
} from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { anInvoice, anIssuedInvoice } from '../../support/documents/invoices.ts'
import { GRANTED, ROLES } from '../../support/staff-endpoints.ts'
import { aStaffVisit, followTo, visitPage } from '../../support/browser/staff-page.ts'
import { sealAgain } from '../../support/documents/seals.ts'

/**
 * What the roles see of the clinic's screens: the sidebar, each page, and each action with the permission that it
 * needs.
 */
let instance: Built
let browser: Browser
const ids: Record<
  | 'draft'
  | 'sent'
  | 'accepted'
  | 'patient'
  | 'professional'
  | 'treatment'
  | 'set'
  | 'invoice'
  | 'issued'
  | 'user'
  | 'webhook',
  string
> = {} as never

beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await theBrowser()
  const staff = await instance.as('admin')
  const accepted = await aSentBudget(instance)
  await (await aVerifiedPatient(instance, accepted)).post(`${accepted.base}/accept`, ACCEPTANCE)
  const treatment = await aTreatment(staff)
  const set = await staff.post('/api/v1/catalog/sets', { name: 'Together', items: [{ treatment_id: treatment.id }] })
  const draft = await aDraft(instance)
  await staff.post('/api/v1/budget/templates', { name: 'Kept', budget_id: draft.id })
  Object.assign(ids, {
    draft: draft.id,
    sent: (await aSentBudget(instance)).id,
    accepted: accepted.id,
    patient: (await aPatient(staff)).id,
    professional: (await aProfessional(instance)).id,
    treatment: treatment.id,
    set: set.body.data.id,
    invoice: await anInvoice(instance),
    issued: (await anIssuedInvoice(instance, staff)).id,
    user: (await (await instance.as('receptionist')).get('/me')).body.data.user.id,
    // A webhook for an event that never occurs here. A failed delivery would appear in every user's sidebar.
    webhook: (await staff.post('/api/v1/webhooks', { url: 'https://93.184.215.14/in', events: ['budget.rejected'] }))
      .body.data.id
  })
  await eventually(
    async () => (await staff.get(`/api/v1/budget/budgets/${accepted.id}`)).body.data.signed_pdf.status === 'ready',
    'the signed PDF'
  )
})
afterAll(() => instance?.close())

/** Null stands for every member. */
const PLACES: Record<string, string | null> = {
  'Home': null,
  'Budgets': 'budget.read',
  'Patients': 'clinical.read',
  'Treatments': 'catalog.read',
  'Invoices': 'billing.read',
  'Reports': 'reports.read',
  'Users': 'users.manage',
  'Webhooks': 'webhooks.manage',
  'API tokens': 'clinic.manage',
  'Audit log': 'clinic.manage',
  'Clinic settings': 'clinic.manage',
  'Modules': 'modules.manage'
}

interface Screen {
  path: () => string
  needs: string
  /** The name of a control and its permission. */ actions?: Record<string, string>
  /** Opens the menu or dialog that contains them. */ open?: (page: Page) => Promise<void>
}

/** The entries in the menu of a budget, which depend on its state. */
const needs = (permission: string, actions: string[]) =>
  Object.fromEntries(actions.map(action => [action, permission]))
const READS = needs('budget.read', ['Preview as patient', 'Unsigned PDF'])
const OF_A_DRAFT = {
  ...needs('budget.write', ['Edit', 'Send', 'Set code', 'Duplicate', 'Save as template', 'Cancel budget', 'Delete draft']),
  ...READS
}
const OF_A_SENT_BUDGET = {
  ...needs('budget.write', [
    'Resend',
    'Accept in the clinic',
    'Decline in the clinic',
    'Set code',
    'Create new link',
    'Revise',
    'Duplicate',
    'Save as template',
    'Cancel budget'
  ]),
  ...READS
}
const OF_AN_ACCEPTED_BUDGET = {
  ...needs('budget.write', ['Resend', 'Set code', 'Create new link', 'Duplicate', 'Save as template']),
  ...READS,
  'Signed PDF': 'budget.read'
}
const openMenu = (page: Page) => page.getByRole('button', { name: 'More', exact: true }).click()

const SCREENS: Record<string, Screen> = {
  'list of budgets': { path: () => '/budgets', needs: 'budget.read', actions: { 'New budget': 'budget.write' } },
  'new budget': {
    path: () => '/budgets/new',
    needs: 'budget.write',
    actions: {
      'New patient': 'clinical.write',
      'New from template': 'budget.write',
      'Save draft': 'budget.write',
      'Save and send': 'budget.write'
    }
  },
  'change of a draft': {
    path: () => `/budgets/${ids.draft}/edit`,
    needs: 'budget.write',
    actions: { 'New patient': 'clinical.write', 'Save draft': 'budget.write', 'Save and send': 'budget.write' }
  },
  'draft': { path: () => `/budgets/${ids.draft}`, needs: 'budget.read', actions: OF_A_DRAFT, open: openMenu },
  'sent budget': {
    path: () => `/budgets/${ids.sent}`,
    needs: 'budget.read',
    actions: {
      'Resend': 'budget.write',
      'Create new link': 'budget.write',
      'Change code': 'budget.write',
      'Unlock': 'budget.write'
    }
  },
  'menu of a sent budget': {
    path: () => `/budgets/${ids.sent}`,
    needs: 'budget.read',
    actions: OF_A_SENT_BUDGET,
    open: openMenu
  },
  'accepted budget': {
    path: () => `/budgets/${ids.accepted}`,
    needs: 'budget.read',
    actions: { 'Signed PDF': 'budget.read', 'Evidence (ZIP)': 'budget.read' }
  },
  'menu of an accepted budget': {
    path: () => `/budgets/${ids.accepted}`,
    needs: 'budget.read',
    actions: OF_AN_ACCEPTED_BUDGET,
    open: openMenu
  },
  'preview': { path: () => `/budgets/${ids.sent}/preview`, needs: 'budget.read' },
  'patients': {
    path: () => '/patients',
    needs: 'clinical.read',
    actions: { 'New patient': 'clinical.write', 'Import (CSV)': 'clinical.write' }
  },
  'import of patients': {
    path: () => '/patients/import',
    needs: 'clinical.write',
    actions: { 'Choose file': 'clinical.write' }
  },
  'new patient': { path: () => '/patients/new', needs: 'clinical.write', actions: { Save: 'clinical.write' } },
  'patient': {
    path: () => `/patients/${ids.patient}`,
    needs: 'clinical.read',
    actions: {
      'Edit': 'clinical.write',
      'New budget': 'budget.write',
      'Export data': 'privacy.manage',
      'Erase data…': 'privacy.manage'
    }
  },
  'professionals': {
    path: () => '/patients/professionals',
    needs: 'clinical.read',
    actions: { 'New clinician': 'clinical.write' }
  },
  'new professional': {
    path: () => '/patients/professionals/new',
    needs: 'clinical.write',
    actions: { Save: 'clinical.write' }
  },
  'professional': {
    path: () => `/patients/professionals/${ids.professional}`,
    needs: 'clinical.read',
    actions: { Save: 'clinical.write' }
  },
  'treatments': {
    path: () => '/catalog',
    needs: 'catalog.read',
    actions: { 'New treatment': 'catalog.write', 'Import (CSV)': 'catalog.write' }
  },
  'import of treatments': {
    path: () => '/catalog/import',
    needs: 'catalog.write',
    actions: { 'Choose file': 'catalog.write' }
  },
  'new treatment': { path: () => '/catalog/new', needs: 'catalog.write', actions: { Save: 'catalog.write' } },
  'treatment': {
    path: () => `/catalog/${ids.treatment}`,
    needs: 'catalog.read',
    actions: { 'Edit': 'catalog.write', 'Stop offering': 'catalog.write' }
  },
  'sets': { path: () => '/catalog/sets', needs: 'catalog.read', actions: { 'New set': 'catalog.write' } },
  'new set': { path: () => '/catalog/sets/new', needs: 'catalog.write', actions: { Save: 'catalog.write' } },
  'set': {
    path: () => `/catalog/sets/${ids.set}`,
    needs: 'catalog.read',
    actions: { 'Edit': 'catalog.write', 'Delete set': 'catalog.write' }
  },
  'templates': {
    path: () => '/budgets/templates',
    needs: 'budget.read',
    actions: { 'Rename': 'budget.write', 'Delete template': 'budget.write' }
  },
  'invoices': { path: () => '/invoices', needs: 'billing.read' },
  'draft of an invoice': {
    path: () => `/invoices/${ids.invoice}`,
    needs: 'billing.read',
    actions: {
      'Issue': 'billing.write',
      'Cancel invoice': 'billing.write',
      'Record payment': 'billing.write',
      'Open PDF': 'billing.read'
    }
  },
  'issued invoice': {
    path: () => `/invoices/${ids.issued}`,
    needs: 'billing.read',
    actions: {
      'Issue': 'billing.write',
      'Cancel invoice': 'billing.write',
      'Record payment': 'billing.write',
      'Open PDF': 'billing.read'
    }
  },
  'reports': { path: () => '/reports', needs: 'reports.read' },
  'users': { path: () => '/users', needs: 'users.manage', actions: { 'Add a person': 'users.manage' } },
  'new user': { path: () => '/users/new', needs: 'users.manage', actions: { 'Send invitation': 'users.manage' } },
  'user': {
    path: () => `/users/${ids.user}`,
    needs: 'users.manage',
    actions: {
      'Save role': 'users.manage',
      'Send password link': 'users.manage',
      'Deactivate': 'users.manage'
    }
  },
  'webhooks': { path: () => '/webhooks', needs: 'webhooks.manage', actions: { 'Add webhook': 'webhooks.manage' } },
  'new webhook': {
    path: () => '/webhooks/new',
    needs: 'webhooks.manage',
    actions: { 'Add webhook': 'webhooks.manage' }
  },
  'webhook': {
    path: () => `/webhooks/${ids.webhook}`,
    needs: 'webhooks.manage',
    actions: {
      'Edit': 'webhooks.manage',
      'Turn off': 'webhooks.manage',
      'Delete': 'webhooks.manage',
      'Resend all failed deliveries': 'webhooks.manage'
    }
  },
  'change of a webhook': {
    path: () => `/webhooks/${ids.webhook}/edit`,
    needs: 'webhooks.manage',
    actions: { Save: 'webhooks.manage' }
  },
  'tokens': { path: () => '/tokens', needs: 'clinic.manage', actions: { 'Add token': 'clinic.manage' } },
  'new token': { path: () => '/tokens/new', needs: 'clinic.manage', actions: { 'Create token': 'clinic.manage' } },
  'audit': { path: () => '/audit', needs: 'clinic.manage', actions: {} },
  'clinic': {
    path: () => '/clinic',
    needs: 'clinic.manage',
    actions: { 'Choose file': 'clinic.manage', 'Save': 'clinic.manage' }
  },
  'modules': {
    path: () => '/modules',
    needs: 'modules.manage',
    actions: { 'Restart now': 'modules.manage', 'Check again': 'modules.manage' }
  },
  'module': {
    path: () => '/modules/billing',
    needs: 'modules.manage',
    actions: {
      'Install': 'modules.manage',
      'Upgrade': 'modules.manage',
      'Cancel pending change': 'modules.manage',
      'Uninstall': 'modules.manage'
    }
  }
}

const has = (role: typeof ROLES[number], permission: string) => GRANTED[permission]!.includes(role)

/** The words that a screen reader adds to a control. */
const reasonOf = (control: Locator) =>
  control.evaluate(element =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map(id => document.getElementById(id)?.textContent ?? '')
      .join(' ')
  )

/** The page is accessible or names the missing permission, and so does each of its actions. */
async function expectAllowed(
  page: Page,
  [name, { path, needs, actions = {}, open }]: [string, Screen],
  may: (permission: string) => boolean
): Promise<void> {
  await followTo(page, instance.url + path())
  const denied = await page.getByText(`Permission denied: ${needs}`).isVisible()
  expect([name, denied]).toEqual([name, !may(needs)])
  if (denied) return
  await open?.(page)
  const place = open ? page.getByRole('group', { name: 'Actions' }) : page.getByRole('main')
  for (const [action, permission] of Object.entries(actions)) {
    const control = place
      .getByRole('button', { name: action, exact: true })
      .or(place.getByRole('link', { name: action, exact: true }))
      .first()
    await control.waitFor()
    const refused
      = (await control.getAttribute('aria-disabled')) === 'true'
        && (await reasonOf(control)).includes(`Permission denied: ${permission}`)
    expect([name, action, refused]).toEqual([name, action, !may(permission)])
  }
}

describe.each(ROLES)('the role %s', (role) => {
  test('sees exactly the permitted entries in the sidebar', async () => {
    const { page } = await aStaffVisit(browser, instance, { role })
    await visitPage(page, `${instance.url}/account`)
    const seen = await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allInnerTexts()
    expect(seen.map(text => text.trim()).sort()).toEqual(
      Object.keys(PLACES)
        .filter(place => PLACES[place] === null || has(role, PLACES[place]!))
        .sort()
    )
  })

  test('can open each page and use each action, or sees the missing permission', async () => {
    const { page } = await aStaffVisit(browser, instance, { role })
    for (const screen of Object.entries(SCREENS)) await expectAllowed(page, screen, permission => has(role, permission))
  })
})

test('the administrator of the instance can manage its modules', async () => {
  const clinic = await instance.anotherClinic()
  const { user } = (await (await instance.as('admin', clinic)).get('/me')).body.data
  await instance.sql`update core_user set instance_admin = true where id = ${user.id}`
  await sealAgain(instance.sql, 'user')
  const { page } = await aStaffVisit(browser, instance, { role: 'admin', clinic })
  for (const screen of Object.entries(SCREENS).filter(([, { needs }]) => needs === 'modules.manage'))
    await expectAllowed(page, screen, () => true)
})

test('records of another clinic cannot be found, neither on a screen nor in the palette', async () => {
  const { page } = await aStaffVisit(browser, instance, { role: 'admin', clinic: await instance.anotherClinic() })
  for (const path of Object.values(SCREENS)
    .map(screen => screen.path())
    .filter(path => Object.values(ids).some(id => path.includes(id)))) {
    await followTo(page, instance.url + path)
    await page
      .getByText(/This doesn’t exist, or no longer exists\.|Budget not found/)
      .first()
      .waitFor()
  }
  await page.keyboard.press('Control+K')
  await page.getByRole('dialog').locator('input').fill('Muñoz')
  await page.getByRole('dialog').getByText('No matches').waitFor()
})

test('a person of two clinics can switch between them, and sees the budgets of one at a time', async () => {
  const other = await instance.anotherClinic()
  const { body: { data: me } } = await (await instance.as('receptionist')).get('/me')
  await instance.sql`insert into core_membership (clinic_id, user_id, role) values (${other.id}, ${me.user.id}, 'admin')`
  await sealAgain(instance.sql, 'membership')
  const { page, leave } = await aStaffVisit(browser, instance)
  await visitPage(page, `${instance.url}/budgets`)
  expect(await page.getByRole('table').getByRole('link').count()).toBeGreaterThan(0)

  await page.getByRole('button', { name: /^Switch clinic/ }).click()
  await page.getByRole('menuitemcheckbox', { name: /Another Clinic/ }).click()
  await page.getByText('Another Clinic').first().waitFor()
  await page.waitForURL(`${instance.url}/`)
  await page.getByRole('link', { name: 'Budgets', exact: true }).click()
  await page.getByText('Nothing here yet').waitFor()
  // The person has another role there.
  await page.getByRole('link', { name: 'Clinic settings' }).waitFor()
  await leave()
})
