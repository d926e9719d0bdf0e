import { foldHeader, WRONG } from '@svc/kit/cells'
import { describe, expect, test } from 'vitest'
import { createAmountSurvey, readPrice, readVat, surveyPrice, surveyVat } from '../../../layers/catalog/server/services/import/read-amounts.ts'
import { NO_TAX_WORDS } from '../../../layers/catalog/server/services/import/vat-words.ts'

const settings = { locale: 'es', country: 'ES', currency: 'EUR', prices_include_tax: true }

function vatsOf(cells: string[]) {
  const survey = createAmountSurvey()
  cells.forEach(cell => surveyVat(cell, settings, survey))
  return cells.map(cell => readVat(cell, settings, survey))
}
function pricesOf(cells: string[], at = settings) {
  const survey = createAmountSurvey()
  cells.forEach(cell => surveyPrice(cell, survey))
  return cells.map(cell => readPrice(cell, at, survey))
}

describe('a tax rate in a file', () => {
  test.each(NO_TAX_WORDS)('is 0 for %s', word => expect(vatsOf([word.toUpperCase()])).toEqual([{ value: 0 }]))
  test('has its words in a table without duplicates', () =>
    expect(new Set(NO_TAX_WORDS.map(foldHeader)).size).toBe(NO_TAX_WORDS.length))

  test('below 1 can be read in two ways', () => {
    expect(vatsOf(['0,21'])).toEqual([{ wrong: WRONG.vat_two_ways }])
    expect(vatsOf(['0,21', '21'])).toEqual([{ wrong: WRONG.vat_two_ways }, { value: 2100 }])
    expect(vatsOf(['0,5', '0,04', '10 %'])).toEqual([{ wrong: WRONG.vat_two_ways }, { wrong: WRONG.vat_two_ways }, { value: 1000 }])
  })
  test('is a fraction when the whole column has fractions', () => {
    const note = WRONG.read_fraction
    expect(vatsOf(['0,21', '0,1', '0,04', '0', '0,055'])).toEqual([
      { value: 2100, note }, { value: 1000, note }, { value: 400, note }, { value: 0 }, { value: 550, note }
    ])
  })
  test('with a percent sign, or without any, has its written value', () =>
    expect(vatsOf(['0,21 %', '0', '0,00', '٪٢١', '7.5'])).toEqual([{ value: 21 }, { value: 0 }, { value: 0 }, { value: 2100 }, { value: 750 }]))
  test.each([
    '-5', '−5', '(5)'
  ])('may not be %s', cell => expect(vatsOf([cell])).toEqual([{ wrong: WRONG.vat_negative }]))
})

describe('a price in a file', () => {
  test.each(['-5', '-5,00 €', '€ -5', '−5', '(5,00)', '5,00-'])('may not be %s', cell =>
    expect(pricesOf([cell])[0]).toEqual({ wrong: cell === '€ -5' ? WRONG.amount : WRONG.negative }))

  test('that could have thousands or decimals is refused when another price uses the same sign for decimals', () => {
    expect(pricesOf(['60.000', '80.0000'])).toEqual([{ wrong: WRONG.price_two_ways }, { value: '8000' }])
    expect(pricesOf(['1.250', '12.50'])).toEqual([{ wrong: WRONG.price_two_ways }, { value: '1250' }])
    expect(pricesOf(['1,250', '12,50'], { ...settings, locale: 'en' })).toEqual([{ wrong: WRONG.price_two_ways }, { value: '1250' }])
  })
  test('has a thousands separator when no other price of the column decides it', () =>
    expect(pricesOf(['60.000', '1.234,50', '12,50', '7'])).toEqual([
      { value: '6000000' }, { value: '123450' }, { value: '1250' }, { value: '700' }
    ]))
})
