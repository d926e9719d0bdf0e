import { describe, expect, it } from 'vitest'
import { countryRule, proFormaReason } from '../../../layers/billing/shared/domain/document-title.ts'

type About = Parameters<typeof proFormaReason>[0]
const reasonOf = (fields: Partial<About>) =>
  proFormaReason({ country: 'FR', tax_number: 'B1', taxpayer: 'company', day: '2026-11-27', ...fields })

describe('what the clinic\'s country allows billing to title', () => {
  it.each(['1999-01-01', '2026-11-27', '2050-12-31'])('is only a pro forma in Portugal, also on %s', (day) => {
    for (const taxpayer of ['company', 'other'] as const)
      for (const tax_number of ['501964843', null])
        expect(reasonOf({ country: 'PT', taxpayer, tax_number, day })).toBe('certified_program')
  })

  it.each([
    ['company', '2026-12-31', null],
    ['company', '2027-01-01', 'verifactu'],
    ['company', '2031-05-09', 'verifactu'],
    ['other', '2027-01-01', null],
    ['other', '2027-06-30', null],
    ['other', '2027-07-01', 'verifactu']
  ] as const)('is in Spain for a taxpayer of the kind %s on %s: %s', (taxpayer, day, reason) => {
    expect(reasonOf({ country: 'ES', taxpayer, day })).toBe(reason)
  })

  it('is an invoice in other countries, and without a country, if the clinic has a tax number', () => {
    for (const country of ['FR', 'DE', 'US', 'XX', '', null]) {
      expect(reasonOf({ country })).toBeNull()
      expect(reasonOf({ country, tax_number: null })).toBe('no_tax_number')
      expect(countryRule(country, 'company')).toBeNull()
    }
  })

  it('has a first day in Spain and none in Portugal', () => {
    expect(countryRule('ES', 'company')).toEqual({ reason: 'verifactu', from: '2027-01-01' })
    expect(countryRule('ES', 'other')).toEqual({ reason: 'verifactu', from: '2027-07-01' })
    expect(countryRule('PT', 'other')).toEqual({ reason: 'certified_program', from: null })
  })
})
