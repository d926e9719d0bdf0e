import fc from 'fast-check'
import { readDecimal, readLanguage, readYesNo } from '@svc/kit/cells'
import { dateExample, readDay } from '@svc/kit/dates'
import { describe, expect, it } from 'vitest'

const readDate = (text: string, at: { locale: string, country: string | null }) =>
  readDay(text, { ...at, today: '2026-11-26' })?.day ?? null
const es = { locale: 'es', currency: 'EUR' }

describe('the reader of numbers and dates, in the clinic\'s locale or in ISO format,', () => {
  it.each([
    ['1.234,50 €', es, '1234.50'],
    ['1234,5', es, '1234.5'],
    ['1234.50', es, '1234.50'],
    ['1.234', es, '1234'],
    ['12.345.678', es, '12345678'],
    ['EUR 45', es, '45'],
    ['1,234.50', { locale: 'en', currency: 'USD' }, '1234.50'],
    ['$1,234', { locale: 'en', currency: 'USD' }, '1234'],
    ['1 234,50', { locale: 'fr', currency: 'EUR' }, '1234.50'],
    ['1\u202F234,50\u00A0€', { locale: 'fr', currency: 'EUR' }, '1234.50'],
    ['1’234.50', { locale: 'en', currency: 'CHF' }, '1234.50'],
    ['١٢٣٤٫٥٠', { locale: 'ar', currency: 'EUR' }, '1234.50'],
    ['1234', { locale: 'es', currency: 'JPY' }, '1234'],
    ['1.250', { locale: 'en', currency: 'KWD' }, '1.250'],
    ['21 %', { locale: 'de' }, '21'],
    ['7,5%', { locale: 'de' }, '7.5'],
    ['007', es, '7'],
    ['-5', es, null],
    ['1.23.4', es, null],
    ['1,2,3', es, null],
    ['12.34', es, '12.34'],
    ['12.3', es, '12.3'],
    ['1e5', es, null],
    ['=1+1', es, null],
    ['free', es, null],
    ['', es, null],
    ['0.500', es, '0.500'],
    ['0,500', { locale: 'en', currency: 'USD' }, '0.500'],
    ['1.234,50', { locale: 'en', currency: 'EUR' }, '1234.50'],
    ['12,50', { locale: 'en', currency: 'EUR' }, '12.50'],
    ['1,234.50', es, '1234.50'],
    [`1${' '.repeat(100_000)}1`, es, null]
  ])('reads %j with %j as %j', (text, at, expected) => {
    expect(readDecimal(text, at)).toBe(expected)
  })

  it.each([
    ['1985-04-03', 'es', 'ES', '1985-04-03'],
    ['3/4/1985', 'es', 'ES', '1985-04-03'],
    ['03.04.1985', 'de', 'DE', '1985-04-03'],
    ['3-4-1985', 'pt', 'PT', '1985-04-03'],
    ['3/4/1985', 'en', 'GB', '1985-04-03'],
    ['3/4/1985', 'en', 'US', '1985-03-04'],
    ['1985/04/03', 'en', 'ZA', '1985-04-03'],
    ['3/4/1985', 'en', null, null],
    ['13/4/1985', 'en', null, '1985-04-13'],
    ['4/13/1985', 'en', null, '1985-04-13'],
    ['4/4/1985', 'en', null, '1985-04-04'],
    [`1${' '.repeat(100_000)}1`, 'es', 'ES', null],
    ['29/02/2000', 'fr', 'FR', '2000-02-29'],
    ['29/02/2001', 'fr', 'FR', null],
    ['31/04/1999', 'es', 'ES', null],
    ['3/4/85', 'es', 'ES', '1985-04-03'],
    ['1985-13-01', 'es', 'ES', null],
    ['tomorrow', 'es', 'ES', null]
  ])('reads %j of a clinic with %s in %s as %j', (text, locale, country, expected) => {
    expect(readDate(text, { locale, country })).toBe(expected)
  })

  it.each([
    ['es', 'ES', '31/12/1985'],
    ['en', 'US', '12/31/1985'],
    ['de', 'DE', '31.12.1985'],
    ['en', 'ZA', '1985-12-31'],
    ['en', null, '1985-12-31'],
    ['ar', 'SA', '31/12/1985']
  ])('reads the example that a clinic with %s in %s is shown: %s', (locale, country, example) => {
    expect(dateExample({ locale, country })).toBe(example)
    expect(readDate(example, { locale, country })).toBe('1985-12-31')
  })

  it.each(['MX', 'BR', 'AR', 'GR', 'SA', 'EG', 'MA'])('reads English dates in the order of %s', (country) => {
    expect(readDate('3/4/1985', { locale: 'en', country })).toBe('1985-04-03')
  })

  it('reads every price and every date that Intl writes in the six languages', () => {
    const locale = fc.constantFrom('en-GB', 'es', 'fr', 'de', 'pt', 'ar')
    fc.assert(fc.property(locale, fc.integer({ min: 0, max: 99_999_999 }), (language, cents) => {
      const written = new Intl.NumberFormat(language, { style: 'currency', currency: 'EUR' }).format(cents / 100)
      expect(readDecimal(written, { locale: language, currency: 'EUR' })).toBe((cents / 100).toFixed(2))
    }))
    const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    fc.assert(fc.property(locale, day, (language, date) => {
      const written = new Intl.DateTimeFormat(language, { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' })
      expect(readDate(written.format(date), { locale: language, country: null })).toBe(date.toISOString().slice(0, 10))
    }))
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
      readDecimal(text, es)
      readDate(text, { locale: 'ar', country: null })
      readYesNo(text)
      readLanguage(text)
    }))
  })
})

it('the words for yes and no and for languages are read in six languages and as spreadsheets write them', () => {
  for (const word of ['yes', 'SÍ', 'si', 'oui', 'VRAI', 'ja', 'WAHR', 'sim', 'VERDADEIRO', 'نعم', 'true', '1', 'x'])
    expect([word, readYesNo(word)]).toEqual([word, true])
  for (const word of ['no', 'No', 'FALSO', 'non', 'FAUX', 'nein', 'FALSCH', 'não', 'لا', 'false', '0'])
    expect([word, readYesNo(word)]).toEqual([word, false])
  expect(readYesNo('maybe')).toBeNull()
  for (const word of ['es', 'ES', 'es-MX', 'Español', 'Spanish', 'espagnol', 'Spanisch', 'espanhol', 'الإسبانية'])
    expect([word, readLanguage(word)]).toEqual([word, 'es'])
  expect(readLanguage('Klingon')).toBeNull()
})
