import { beforeEach, expect, test } from 'vitest'
import { usePreferences } from '#imports'
import { BillingSettings } from '#components'
import { forgetSession, signIn } from '../support/api.ts'
import { draw, said } from '../support/screen.ts'

beforeEach(async () => {
  forgetSession()
  await signIn({ permissions: ['clinic.manage'] })
})

async function settingsIn(country: string | null, taxpayer: 'company' | 'other' = 'company') {
  usePreferences().country.value = country
  await draw(BillingSettings, { props: { modelValue: { payment_days: 30, taxpayer } } })
}

test('the settings say that a clinic in Portugal issues only pro formas', async () => {
  await settingsIn('PT')
  expect(said()).toContain('In Portugal, only a program certified by the tax authority may issue invoices.')
  expect(said()).not.toContain('Kind of taxpayer')
})

test.each([
  ['company', 'From Jan 1, 2027'],
  ['other', 'From Jul 1, 2027']
] as const)('the settings name the day in Spain for a taxpayer of the kind %s', async (taxpayer, words) => {
  await settingsIn('ES', taxpayer)
  expect(said()).toContain(`${words}, invoices in Spain need VeriFactu records`)
  expect(said()).toContain('Kind of taxpayer in Spain')
})

test('the settings of a clinic in another country have no rule', async () => {
  await settingsIn('FR')
  expect(said()).toContain('Invoices are due after (days)')
  expect(said()).not.toMatch(/Portugal|Spain/)
})
