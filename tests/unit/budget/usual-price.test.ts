import { describe, expect, test } from 'vitest'
import { usualPrice } from '../../../layers/budget/app/utils/usual-price.ts'

const price = (to_include_tax: boolean, treatment: Partial<Parameters<typeof usualPrice>[0]>) =>
  usualPrice({ unit_price: '100.00', vat: '21', ...treatment }, { currency: 'EUR', to_include_tax })

describe('the catalog price in a budget', () => {
  test('is unchanged when catalog and budget both include tax, or both exclude it', () => {
    expect(price(false, {})).toBe('100.00')
    expect(price(true, { prices_include_tax: true })).toBe('100.00')
  })

  test('is converted when the clinic changed the tax setting after the budget was created', () => {
    expect(price(true, {})).toBe('121.00')
    expect(price(false, { unit_price: '300.00', prices_include_tax: true })).toBe('247.93')
  })

  test('is unchanged when it cannot be read', () => {
    expect(price(true, { unit_price: '1.2345' })).toBe('1.2345')
  })
})
