import { beforeEach, expect, test } from 'vitest'
import { flushPromises } from '@vue/test-utils'
import ClinicPage from '~/pages/clinic.vue'
import type { Clinic } from '../../shared/clinic.ts'
import type { SettingField } from '../../shared/settings.ts'
import { answers, forgetSession, signIn } from './support/api.ts'
import { button, draw, one, press, said, type } from './support/screen.ts'

const CLINIC: Clinic = {
  id: '0197c6a0-0000-7000-8000-00000000000c', name: 'Clínica Sol', address: null, phone: null, email: null,
  logo_url: null, accent_color: null, country: null, legal_name: null, tax_number: null, registration: null,
  insurer: null, currency: 'EUR', currency_locked: false, time_zone: 'Europe/Madrid', locale: 'es',
  prices_include_tax: false, ip_policy: 'full', notify_decisions: true, second_factor: 'none',
  retention: { access_log_months: 120, audit_months: 24 }, first_steps_hidden: false
}
const aField = (about: Partial<SettingField>): SettingField => ({
  name: '', kind: 'text', description: null, required: true, choices: null, whole: false, minimum: null, maximum: null,
  max_length: null, ...about
})
const SETTINGS = '/api/v1/clinic/settings'
const PIGEON = {
  module: 'pigeon',
  permission: 'clinic.manage',
  fields: [
    aField({ name: 'sender', description: 'The name that phones show.' }),
    aField({ name: 'flights', kind: 'number', whole: true, minimum: 1 }),
    aField({ name: 'deposit', kind: 'money', required: false }),
    aField({ name: 'enabled', kind: 'switch' }),
    aField({ name: 'api_key', kind: 'secret', required: false })
  ]
}
const VALUES = { sender: 'Sol', flights: 5, deposit: '12.50', enabled: false, api_key: { set: true } }

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['clinic.manage'] })
  answers('GET', '/api/v1/clinic', { data: CLINIC, headers: { etag: '"4"' } })
  answers('GET', '/api/v1/clinic/mail', { data: { via: 'file', from: null } })
})

async function aPage(modules: object[]) {
  answers('GET', SETTINGS, { data: modules })
  await draw(ClinicPage)
  await expect.poll(() => said()).toContain('Name and contact')
}
const field = (name: string) => one<HTMLInputElement>(`input[name="${name}"]`)

test('a module without a layer has a section that is generated from its schema, with descriptions', async () => {
  answers('GET', `${SETTINGS}/pigeon`, { data: VALUES, headers: { etag: '"1"' } })
  await aPage([PIGEON])
  await expect.poll(() => said()).toContain('The name that phones show.')
  expect(field('sender').value).toBe('Sol')
  expect(field('deposit').value).toBe('12.50')
  expect(field('api_key').value).toBe('')
  expect(said()).toContain('A value is stored. It is never shown.')
})

test('only changed settings are sent, to their module only, and an untouched secret is kept', async () => {
  answers('GET', `${SETTINGS}/pigeon`, { data: VALUES, headers: { etag: '"1"' } })
  const ofClinic = answers('PATCH', '/api/v1/clinic', { data: CLINIC })
  const asked = answers('PATCH', `${SETTINGS}/pigeon`, { data: { ...VALUES, sender: 'Luna' }, headers: { etag: '"2"' } })
  await aPage([PIGEON])
  await expect.poll(() => field('sender')?.value).toBe('Sol')
  await type(field('sender'), 'Luna')
  expect(said()).toContain('1 unsaved change')
  await press('Save')
  await expect.poll(() => asked.map(({ body, headers }) => [body, headers['if-match']])).toEqual([[{ sender: 'Luna' }, '"1"']])
  await expect.poll(() => said()).not.toContain('unsaved')
  expect(ofClinic).toEqual([])
})

test('a secret is replaced by the typed text, and removed by its button', async () => {
  answers('GET', `${SETTINGS}/pigeon`, { data: VALUES, headers: { etag: '"1"' } })
  const asked = answers('PATCH', `${SETTINGS}/pigeon`, { data: VALUES, headers: { etag: '"2"' } })
  await aPage([PIGEON])
  await expect.poll(() => field('api_key')).not.toBeNull()
  await type(field('api_key'), 'new secret')
  await press('Save')
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ api_key: 'new secret' }])
  await expect.poll(() => said()).toContain('The settings were saved')
  await flushPromises()
  const section = field('api_key').closest('section')!
  ;[...section.querySelectorAll('button')].find(found => found.textContent?.trim() === 'Remove')!.click()
  await flushPromises()
  expect(said(section)).toContain('Removed when you save')
  await press('Save')
  await expect.poll(() => asked.map(({ body }) => body)[1]).toEqual({ api_key: null })
})

test('an error of the server is shown at its field, and the typed text is kept', async () => {
  answers('GET', `${SETTINGS}/pigeon`, { data: VALUES, headers: { etag: '"1"' } })
  answers('PATCH', `${SETTINGS}/pigeon`, {
    status: 409, code: 'setting_vetoed', members: { errors: [{ pointer: '/sender', message: 'Another module needs it.' }] }
  })
  await aPage([PIGEON])
  await expect.poll(() => field('sender')?.value).toBe('Sol')
  await type(field('sender'), 'Luna')
  await press('Save')
  await expect.poll(() => said()).toContain('Another module needs it.')
  expect(field('sender').value).toBe('Luna')
})

test('a layer provides labels for the fields, and its own component replaces the generated section', async () => {
  answers('GET', `${SETTINGS}/budget`, {
    data: {
      tooth_notation: 'palmer', code_by: 'clinic', code_by_only: false, budget_validity_days: 30, clauses: [],
      reminders: { enabled: true, days: [7], quiet_from: '20:00', quiet_to: '09:00' }
    },
    headers: { etag: '"1"' }
  })
  answers('GET', `${SETTINGS}/billing`, { data: { payment_days: null, taxpayer: 'company' }, headers: { etag: '"1"' } })
  const billing = { module: 'billing', permission: 'clinic.manage', fields: [
    aField({ name: 'payment_days', kind: 'number', required: false, whole: true, minimum: 0, maximum: 365 })
  ] }
  const asked = answers('PATCH', `${SETTINGS}/budget`, { data: {}, headers: { etag: '"2"' } })
  await aPage([{ module: 'budget', permission: 'clinic.manage', fields: [] }, billing])
  await expect.poll(() => said()).toContain('Invoices are due after (days)')
  await expect.poll(() => said()).toContain('Remind patients who haven’t answered')
  expect(said()).toContain('From 0 to 365. Leave empty to set no due date.')
  button('Add reminder').click()
  await flushPromises()
  await press('Save')
  const reminders = { enabled: true, days: [7, 14], quiet_from: '20:00', quiet_to: '09:00' }
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ reminders }])
})
