import { beforeEach, expect, test } from 'vitest'
import ClinicPage from '~/pages/clinic.vue'
import addParts from '../../../layers/payments/app/staff.ts'
import { DEFAULTS, SECRETS } from '../../../layers/payments/shared/settings.ts'
import { useNuxtApp, useToast } from '#imports'
import { answers, forgetSession, signIn } from '../support/api.ts'
import { findViolations } from '../support/axe.ts'
import { button, draw, one, press, said, type } from '../support/screen.ts'

const SETTINGS = '/api/v1/clinic/settings'
const VALUES = { ...DEFAULTS, ...Object.fromEntries(SECRETS.map(name => [name, { set: name === 'stripe_test_key' }])) }
const CLINIC = {
  id: '0197c6a0-0000-7000-8000-00000000000c', name: 'Clínica Sol', address: null, phone: null, email: null,
  logo_url: null, accent_color: null, country: null, legal_name: null, tax_number: null, registration: null,
  insurer: null, currency: 'EUR', currency_locked: false, time_zone: 'Europe/Madrid', locale: 'es',
  prices_include_tax: false, ip_policy: 'full', notify_decisions: true, second_factor: 'none',
  retention: { access_log_months: 120, audit_months: 24 }, first_steps_hidden: false
}

beforeEach(async () => {
  forgetSession()
  useToast() // an earlier test's message still removes itself from the list
  await signIn({ permissions: ['clinic.manage'] })
  useNuxtApp().runWithContext(addParts)
  answers('GET', '/api/v1/clinic', { data: CLINIC, headers: { etag: '"4"' } })
  answers('GET', '/api/v1/clinic/mail', { data: { via: 'file', from: null } })
  answers('GET', SETTINGS, { data: [{ module: 'payments', permission: 'clinic.manage', fields: [] }] })
})

async function aPage(values: object = {}) {
  answers('GET', `${SETTINGS}/payments`, { data: { ...VALUES, ...values }, headers: { etag: '"1"' } })
  await draw(ClinicPage)
  await expect.poll(() => said()).toContain('Test the connection')
}
const field = (name: string) => one<HTMLInputElement>(`input[name="${name}"]`)
const saved = () => answers('PATCH', `${SETTINGS}/payments`, { data: VALUES, headers: { etag: '"2"' } })
const choose = (label: string) =>
  [...document.querySelectorAll('label')].find(found => said(found) === label)!.click()

test('the form shows only what the chosen provider needs', async () => {
  await aPage()
  expect([field('iban'), field('creditor'), field('bic')]).not.toContain(null)
  expect([field('stripe_test_key'), field('redsys_merchant')]).toEqual([null, null])
  choose('Redsys')
  await expect.poll(() => field('redsys_merchant')).not.toBeNull()
  expect([field('redsys_terminal'), field('redsys_test_key'), field('redsys_live_key')]).not.toContain(null)
  expect([field('iban'), field('mollie_test_key')]).toEqual([null, null])
  expect(await findViolations('section:has([name="redsys_merchant"])')).toEqual([])
})

test('bank details are checked before they are saved', async () => {
  const asked = saved()
  await aPage()
  await type(field('iban'), 'ES91 2100 0418 4502 0005 1333')
  await press('Save')
  await expect.poll(() => said()).toContain('This isn’t an IBAN.')
  expect(asked).toEqual([])
  await type(field('iban'), 'ES91 2100 0418 4502 0005 1332')
  await type(field('creditor'), 'Clínica Sol')
  await press('Save')
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([
    { iban: 'ES91 2100 0418 4502 0005 1332', creditor: 'Clínica Sol' }
  ])
})

test('a typed key is sent, a stored one is kept, and one is removed by its button', async () => {
  const asked = saved()
  await aPage({ provider: 'stripe' })
  await expect.poll(() => field('stripe_test_key')).not.toBeNull()
  expect(said()).toContain('A value is stored. It is never shown.')
  await type(field('stripe_live_key'), 'sk_live_123456')
  await press('Save')
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([{ stripe_live_key: 'sk_live_123456' }])
})

test('a deposit has a percentage or an amount in the notation of the language', async () => {
  const asked = saved()
  await aPage()
  expect(said()).not.toContain('Only from this total')
  choose('A fixed amount')
  await expect.poll(() => field('deposit_amount')).not.toBeNull()
  await type(field('deposit_amount'), '60')
  await type(field('deposit_from'), '300')
  await press('Save')
  await expect.poll(() => asked.map(({ body }) => body)).toEqual([
    { deposit: 'amount', deposit_amount: '60.00', deposit_from: '300.00' }
  ])
})

test('“Test the connection” says what is missing or wrong, and waits until changes are saved', async () => {
  let answer: object = { provider: 'stripe', mode: 'test', ok: false, code: 'wrong_key', missing: [], detail: 'Invalid API Key', webhook_url: 'https://clinic.example/hook' }
  const asked = answers('POST', '/api/v1/payments/test', () => ({ data: answer }))
  await aPage({ provider: 'stripe' })
  await press('Test the connection')
  await expect.poll(() => said()).toContain('Stripe refuses the key.')
  expect(said()).toContain('Invalid API Key')
  expect(one<HTMLInputElement>('input[readonly]').value).toBe('https://clinic.example/hook')
  answer = { provider: 'stripe', mode: 'test', ok: false, code: 'missing', missing: ['stripe_test_webhook_secret'], detail: null, webhook_url: null }
  await press('Test the connection')
  await expect.poll(() => said()).toContain('These settings are missing: Signing secret of notifications, for tests')
  await type(field('stripe_live_key'), 'sk_live_123456')
  expect(button('Test the connection').getAttribute('aria-disabled')).toBe('true')
  await press('Test the connection')
  expect(asked).toHaveLength(2)
})
