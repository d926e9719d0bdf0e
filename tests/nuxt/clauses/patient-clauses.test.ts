import { expect, test } from 'vitest'
import { BudgetAccept, BudgetSheet } from '#components'
import { draw, said } from '../support/screen.ts'

const clinic = { name: 'Sol', phone: null, email: null, address: null, logo_url: null }
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
  items: [],
  totals: { original: '200.00', discount: '0.00', total: '200.00', tax: '0.00' },
  patient_notes: 'Bring the X-ray.',
  viewed_at: null,
  decision: null,
  signed_pdf: { status: 'none', sha256: null },
  content_digest: null
}
const clauses = [
  { module: 'terms', id: 'deposit', title: 'Deposit', text: '<b>30 %</b> are due\nwhen you accept.' },
  { module: 'terms', id: 'late', title: 'Late cancellation', text: 'Call a day before.' }
]
const draft = { relationship: 'patient', signer_name: '', method: 'click', typed: '', image: null, consent: false }

test('the page shows title and text of each condition as plain text, before the total and the decision', async () => {
  await draw(BudgetSheet, { props: { view: { ...view, clauses } }, slots: { bar: () => 'Accept' } })
  expect(said()).toMatch(/Conditions.*Deposit.*<b>30 %<\/b> are due.*Late cancellation.*Call a day before\..*Total.*Accept/s)
  expect(document.querySelector('b')).toBe(null)
})

test('the page of a budget without conditions has no heading for conditions', async () => {
  await draw(BudgetSheet, { props: { view } })
  expect(said()).not.toContain('Conditions')
})

test('the step before the signature shows the conditions collapsed beside it', async () => {
  const props = { view: { ...view, clauses }, draft, errors: {}, busy: false, blocked: false }
  await draw(BudgetAccept, { props })
  const folded = [...document.querySelectorAll('details')].find(one => one.textContent!.includes('Show the conditions'))
  expect(folded!.open).toBe(false)
  expect(folded!.textContent).toContain('Call a day before.')
})
