import { describe, expect, test } from 'vitest'
import { pricesOf } from '../../../layers/budget/shared/draft-prices.ts'

const line = (unit_price: string, fields = {}) => ({ unit_price, quantity: 1, vat: '0', discount: null, ...fields })

describe('the live prices of a draft', () => {
  test('are texts with the digits of the currency, by the one pricing function', () => {
    const prices = pricesOf(
      [line('33.33', { quantity: 3, discount: { type: 'percent', value: '7.5' } })],
      { type: 'percent', value: '10' },
      'EUR',
      false
    )
    expect(prices).toEqual({
      items: [{ original_price: '99.99', price: '83.24', share: '9.25', discounted: true }],
      totals: { original: '99.99', discount: '16.75', total: '83.24', tax: '0.00' }
    })
    expect(pricesOf([line('1000', { vat: '10' })], null, 'JPY', false)?.totals).toEqual({
      original: '1100',
      discount: '0',
      total: '1100',
      tax: '100'
    })
  })

  test('take unit prices with their tax where the budget has them so', () => {
    const prices = pricesOf([line('300.00', { quantity: 3, vat: '21' })], null, 'EUR', true)
    expect(prices?.totals).toEqual({ original: '900.00', discount: '0.00', total: '900.00', tax: '156.20' })
  })

  test('are none while the amount off everything is more than all lines together', () => {
    expect(pricesOf([line('90.00')], { type: 'amount', value: '90.00' }, 'EUR', false)?.totals.total).toBe('0.00')
    expect(pricesOf([line('90.00')], { type: 'amount', value: '90.01' }, 'EUR', false)).toBeNull()
  })

  test('of no lines at all are nothing', () => {
    expect(pricesOf([], { type: 'percent', value: '10' }, 'EUR', false)).toEqual({
      items: [],
      totals: { original: '0.00', discount: '0.00', total: '0.00', tax: '0.00' }
    })
  })
})
