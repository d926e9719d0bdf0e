import { mountSuspended } from '@nuxt/test-utils/runtime'
import { flushPromises } from '@vue/test-utils'
import type { Component } from 'vue'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { useBudgetPage, useDecision, useRouter, useSelection } from '#imports'
import { answers } from './support/api.ts'
import { findButton, said, using } from './support/screen.ts'

const clinic = { name: 'Sol', phone: null, email: null, address: null, logo_url: null }
const line = { name: 'Crown', description: null, quantity: 1, original_price: '10.00', price: '10.00', discounted: false }
const view = {
  number: 'PRES-2026-0001',
  version: 1,
  status: 'sent',
  clinic,
  patient: { first_name: 'Ana', last_name: 'Sol' },
  professional: null,
  currency: 'EUR',
  locale: 'en',
  time_zone: 'UTC',
  valid_until: null,
  expires_at: null,
  items: [line],
  totals: { original: '10.00', discount: '0.00', total: '10.00', tax: '0.00' },
  patient_notes: null,
  viewed_at: null,
  decision: null,
  signed_pdf: { status: 'none', sha256: null },
  content_digest: '1'.repeat(64)
}

/** The page that the router shows for a patient's link. */
async function patientPage() {
  const { matched } = useRouter().resolve('/p/budget/token')
  // This is a function until the page is loaded for the first time.
  const found = matched.at(-1)!.components!.default as Component | (() => Promise<{ default: Component }>)
  return typeof found === 'function' ? (await (found as () => Promise<{ default: Component }>)()).default : found
}

let token = 0
async function openPage(over: Record<string, unknown>, locale = 'en') {
  const id = `broken-${token += 1}`
  const base = `/api/v1/public/budgets/${id}`
  answers('GET', base, { data: { ...view, ...over } })
  answers('GET', `${base}/meta`, { data: { state: 'open', locked: false, locale, clinic } })
  answers('GET', `${base}/messages`, { data: [] })
  const page = await mountSuspended(await patientPage(), { route: `/p/budget/${id}?locale=${locale}`, attachTo: document.body })
  onTestFinished(() => page.unmount())
  await flushPromises()
  return { pdf: () => document.querySelector(`main a[href^="${base}/pdf"]`)?.textContent?.trim() }
}

const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => logged.mockClear())

test('an offer that is shown completely can be accepted, and no message appears', async () => {
  await openPage({})
  await expect.poll(() => findButton('Accept')).toBeDefined()
  expect(said()).not.toContain('can’t be shown')
})

test.each([
  ['a line', { items: [line, null] }],
  ['every price', { currency: 'no currency' }]
])('when %s throws while it is drawn, Accept is disabled, and the page explains it and has the PDF', async (_, over) => {
  const { pdf } = await openPage(over)
  await expect.poll(() => said()).toContain('Part of this budget can’t be shown in this browser.')
  expect(said()).toContain('You can’t accept it here until the page shows all of it.')
  expect(pdf()).toBe('Open as PDF')
  expect(findButton('Accept')).toBeUndefined()
  expect(logged).toHaveBeenCalled()
})

test('an error in the summary beside the signature leads back to the offer and closes the signature', async () => {
  answers('GET', '/api/v1/public/budgets/signing', { data: view })
  const first = { link: 'known', meta: { locked: false }, accent: null, outcome: null, now: Date.now() }
  const { page, decision } = await using(() => {
    const page = useBudgetPage('signing', first as never)
    return { page, decision: useDecision(page, useSelection(page, 'signing')) }
  })
  await page.askView()
  expect(await decision.begin('accepting')).toBe(true)
  page.broken.value = true
  await flushPromises()
  expect(page.state.value).toBe('open')
  expect(page.brokenNotice.value?.text).toContain('You can’t accept it here')
  expect(await decision.begin('accepting')).toBe(false)
})
