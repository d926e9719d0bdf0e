import { describe, expect, test } from 'vitest'
import { pricesOf } from '../../../layers/budget/shared/draft-prices.ts'

const line = (unit_price: string, fields = {}) => ({ unit_price, quantity: 1, vat: '0', discount: null, ...fields })

type Terms = Parameters<typeof pricesOf>[1]
const terms = (fields: Partial<Terms> = {}): Terms =>
  ({ global_discount: null, currency: 'EUR', prices_include_tax: false, ...fields })

describe('the live prices of a draft', () => {
  test('have the decimals of the currency and come from the common pricing function', () => {
    const prices = pricesOf(
      [line('33.33', { quantity: 3, discount: { type: 'percent', value: '7.5' } })],
      terms({ global_discount: { type: 'percent', value: '10' } })
    )
    expect(prices).toEqual({
      items: [{ original_price: '99.99', price: '83.24', share: '9.25', discounted: true }],
      totals: { original: '99.99', discount: '16.75', total: '83.24', tax: '0.00' },
      total_to: null
    })
    expect(pricesOf([line('1000', { vat: '10' })], terms({ currency: 'JPY' }))?.totals).toEqual({
      original: '1100',
      discount: '0',
      total: '1100',
      tax: '100'
    })
  })

  test('use unit prices with tax where the budget\'s prices include it', () => {
    const prices = pricesOf([line('300.00', { quantity: 3, vat: '21' })], terms({ prices_include_tax: true }))
    expect(prices?.totals).toEqual({ original: '900.00', discount: '0.00', total: '900.00', tax: '156.20' })
  })

  test('are absent while the discount is higher than the total of all lines', () => {
    expect(pricesOf([line('90.00')], terms({ global_discount: { type: 'amount', value: '90.00' } }))?.totals.total).toBe('0.00')
    expect(pricesOf([line('90.00')], terms({ global_discount: { type: 'amount', value: '90.01' } }))).toBeNull()
  })

  test('are zero without lines', () => {
    expect(pricesOf([], terms({ global_discount: { type: 'percent', value: '10' } }))).toEqual({
      items: [],
      totals: { original: '0.00', discount: '0.00', total: '0.00', tax: '0.00' },
      total_to: null
    })
  })
})
