import { describe, expect, test } from 'vitest'
import { readAmount, readPercent, readQuantity, typedAmount } from '../../../app/utils/amount.ts'

describe('the reader of typed amounts', () => {
  test.each([
    ['45', 'EUR', '45.00'],
    ['12,5', 'EUR', '12.50'],
    ['.5', 'EUR', '0.50'],
    ['12.', 'EUR', '12.00'],
    ['1.234,50', 'EUR', '1234.50'],
    ['1,234.5', 'EUR', '1234.50'],
    ['1.234.567', 'EUR', '1234567.00'],
    ['1\u202F234,50 €', 'EUR', '1234.50'],
    ['1’234.50', 'CHF', '1234.50'],
    ['EUR 45', 'EUR', '45.00'],
    ['٤٥٫٥', 'EUR', '45.50'],
    ['۴۵٫۵', 'EUR', '45.50']
  ])('reads %s in %s as %s', (typed, currency, amount) => expect(readAmount(typed, currency)).toBe(amount))

  test('takes one separator before three digits as thousands, unless the currency has three decimals', () => {
    expect(readAmount('1.234', 'EUR')).toBe('1234.00')
    expect(readAmount('1.234', 'JPY')).toBe('1234')
    expect(readAmount('1.234', 'KWD')).toBe('1.234')
  })

  test.each([
    ['', 'EUR'],
    ['abc', 'EUR'],
    ['-3', 'EUR'],
    ['1.2345', 'EUR'],
    ['0.123', 'EUR'],
    ['1,2,3', 'EUR'],
    ['1.23.456', 'EUR'],
    ['12.5', 'JPY']
  ])('refuses "%s" as an amount in %s', (typed, currency) => expect(readAmount(typed, currency)).toBeNull())

  test('formats an amount for a field with the decimal separator of the language, without thousands', () => {
    expect(typedAmount('1234.50', 'es')).toBe('1234,50')
    expect(typedAmount('1234.50', 'en')).toBe('1234.50')
  })
})

test('a percentage is accepted from 0 to 100 with up to two decimals', () => {
  expect(['21', '7,5 %', '100', '0', '21.00'].map(readPercent)).toEqual(['21', '7.5', '100', '0', '21'])
  expect(['101', '-1', '1.234', '', 'x'].map(readPercent)).toEqual([null, null, null, null, null])
})

test('a quantity is accepted from 1 to 999, in the digits of any keyboard', () => {
  expect(['1', ' 12 ', '007', '999', '٣', '١٢', '۱۲'].map(readQuantity)).toEqual([1, 12, 7, 999, 3, 12, 12])
  expect(['', '0', '1000', '1.5', '-1', 'two'].map(readQuantity)).toEqual(Array<number>(6).fill(Number.NaN))
})
