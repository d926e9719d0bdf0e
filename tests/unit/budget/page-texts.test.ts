import { describe, expect, test } from 'vitest'
import { clock, codeDigits, day, duration, moment, money, sameName } from '../../../layers/budget/app/utils/display.ts'

describe('an amount is written exactly from its decimal text:', () => {
  test.each([
    ['1010.10', 'EUR', 'en', '€1,010.10'],
    ['90071992547409931.25', 'EUR', 'en', '€90,071,992,547,409,931.25'],
    ['1200', 'JPY', 'en', '¥1,200'],
    ['1.500', 'KWD', 'en', 'KWD 1.500'],
    ['1234.56', 'HUF', 'en', 'HUF 1,234.56'],
    ['1250.500', 'IQD', 'en', 'IQD 1,250.500'],
    ['1250.50', 'COP', 'es', '1250,50 COP'],
    ['1010.10', 'EUR', 'es', '1010,10 €'],
    ['1010.10', 'EUR', 'pt', '1010,10 €'],
    ['1010.10', 'EUR', 'fr', '1 010,10 €'],
    ['1010.10', 'EUR', 'ar', '\u200F1,010.10 €'],
    ['-120.10', 'EUR', 'en', '−€120.10']
  ])('%s %s in %s', (amount, currency, locale, written) => {
    expect(money(amount, currency, locale).replace(/\s/g, ' ')).toBe(written)
  })
})

test('a date is not shifted by the time zone', () => {
  expect(day('2026-12-18', 'en')).toBe('Friday, December 18, 2026')
  expect(day('2026-01-01', 'es')).toBe('jueves, 1 de enero de 2026')
  expect(day('2026-12-18', 'ar')).toBe('الجمعة، 18 ديسمبر 2026')
})

test('an instant is written in the clinic\'s time zone, with the zone\'s name', () => {
  expect(moment('2026-07-01T22:30:00Z', 'en', 'Europe/Madrid')).toBe(
    'July 2, 2026 at 00:30 (Central European Summer Time)'
  )
})

test.each([
  [59, '0:59'],
  [900, '15:00'],
  [3600, '1:00:00'],
  [86399, '23:59:59']
])('a lock of %i seconds is written as %s', (seconds, shown) => {
  expect(clock(seconds)).toBe(shown)
})

test.each([
  [15, 'en', '15 minutes'],
  [1, 'en', '1 minute'],
  [60, 'en', '1 hour'],
  [1440, 'en', '24 hours'],
  [90, 'en', '90 minutes'],
  [1, 'es', '1 minuto'],
  [60, 'fr', '1 heure'],
  [1440, 'de', '24 Stunden'],
  [1440, 'pt', '24 horas'],
  [120, 'ar', 'ساعتان'],
  [15, 'ar', '15 دقيقة']
])('a lock of %i minutes is written in %s as %s', (minutes, locale, told) => {
  expect(duration(minutes, locale).replace(/\s/g, ' ')).toBe(told)
})

describe('the reader of a typed or pasted code', () => {
  test.each([
    ['482913', '482913'],
    [' 48 29 13 ', '482913'],
    ['482-913', '482913'],
    ['482–913', '482913'],
    ['４８２９', '4829'],
    ['٤٨٢٩', '4829'],
    ['۴۸۲۹', '4829'],
    ['\u200F482913', '482913'],
    ['12345678', '12345678']
  ])('accepts %j', (typed, code) => {
    expect(codeDigits(typed)).toBe(code)
  })
  test.each(['', '123', '123456789', '48291a', '4829 13 x'])('refuses %j', (typed) => {
    expect(codeDigits(typed)).toBeNull()
  })
})

test.each([
  ['José  Núñez', 'jose nuñez', true],
  ['  Lucía Muñoz ', 'Lucía Muñoz', true],
  ['Lucía Muñoz', 'Lucía Munoz Vidal', false]
])('the names %j and %j are treated as the same person: %s', (one, other, same) => {
  expect(sameName(one, other)).toBe(same)
})
