import { describe, expect, test } from 'vitest'
import {
  codeText,
  internationalDigits,
  readyText,
  smsUrl,
  whatsAppUrl
} from '../../../layers/budget/shared/ready-text.ts'

const URL = 'https://clinic.test/p/budget/abc'
const given = { patient: 'Lucía', clinic: 'Clínica Aurora', url: URL, closed: false }
const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'ar']

describe.each(LANGUAGES)('the ready text in %s', (locale) => {
  test('has the names of patient and clinic, the link, and no number that could be a code', () => {
    for (const closed of [false, true]) {
      const text = readyText({ ...given, locale, closed })
      for (const part of ['Lucía', 'Clínica Aurora', URL]) expect(text).toContain(part)
      expect(text.replace(URL, '')).not.toMatch(/\d/)
    }
  })

  test('for the code does not contain the link', () => {
    const text = codeText(locale, 'Clínica Aurora', '482913')
    expect(text).toContain('482913')
    expect(text).not.toContain('http')
  })
})

test('each language has its own words for the ready text, and an unknown language has the English ones', () => {
  expect(new Set(LANGUAGES.map(locale => readyText({ ...given, locale }))).size).toBe(LANGUAGES.length)
  expect(readyText({ ...given, locale: 'pt-BR' })).toBe(readyText({ ...given, locale: 'pt' }))
  expect(readyText({ ...given, locale: 'ja' })).toBe(readyText({ ...given, locale: 'en' }))
})

test.each<[string, string | null, string | null]>([
  ['+34 600 11 22 33', null, '34600112233'],
  ['0034 600-11-22-33', null, '34600112233'],
  ['+49 (0)170 1234567', 'ES', '491701234567'],
  ['+٣٤ ٦٠٠ ١١ ٢٢ ٣٣', null, '34600112233'],
  ['600 11 22 33', null, null],
  ['600 11 22 33', 'ES', '34600112233'],
  ['0170 1234567', 'DE', '491701234567'],
  ['06 12 34 56 78', 'FR', '33612345678'],
  ['600 11 22 33', 'XX', null],
  ['call the mother', 'ES', null],
  ['(0)170 1234567', null, null],
  ['+0 123 456 789', null, null],
  ['+34', 'ES', null]
])('the phone number %s of a clinic in %s is written as %s for a messenger', (phone, country, digits) =>
  expect(internationalDigits(phone, country)).toBe(digits))

test('the links to messengers contain the whole text', () => {
  const text = 'Hola & adiós?\nhttps://x.test/#a'
  expect(new globalThis.URL(whatsAppUrl('+34 600112233', text, null)).searchParams.get('text')).toBe(text)
  expect(whatsAppUrl('600112233', text, null)).toMatch(/^https:\/\/wa\.me\/\?text=/)
  expect(whatsAppUrl('600112233', text, 'ES')).toMatch(/^https:\/\/wa\.me\/34600112233\?text=/)
  expect(whatsAppUrl(null, text, 'ES')).toMatch(/^https:\/\/wa\.me\/\?text=/)
  expect(smsUrl('+34 600112233', text, null)).toBe(`sms:+34600112233?body=${encodeURIComponent(text)}`)
  expect(smsUrl('600 11 22 33', text, null)).toMatch(/^sms:600112233\?body=/)
  expect(smsUrl('600 11 22 33', text, 'ES')).toMatch(/^sms:\+34600112233\?body=/)
  expect(smsUrl(null, text, null)).toMatch(/^sms:\?body=/)
})
