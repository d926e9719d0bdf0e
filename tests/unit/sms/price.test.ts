import { expect, test } from 'vitest'
import { displayPrice } from '../../../layers/sms/shared/domain/price.ts'

test.each([
  ['USD', 7_500n, '$0.01'],
  ['USD', 4_999n, '$0.00'],
  ['JPY', 7_500_000n, '¥8'],
  ['KWD', 7_500n, 'KWD 0.008']
])('a sum of costs has the digits of %s', (currency, millionths, text) => {
  expect(displayPrice(millionths, currency, 'en').replace(/\u00A0/g, ' ')).toBe(text)
})
