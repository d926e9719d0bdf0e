import { describe, expect, it } from 'vitest'
import { taxesByRate } from '../../../layers/billing/shared/domain/taxes.ts'

describe('the list of taxes by rate', () => {
  it('adds up the lines of each rate, lowest rate first, without rounding again', () => {
    const lines = [
      { vat: 2100, price: 10_890n, tax: 1890n },
      { vat: 0, price: 8324n, tax: 0n },
      { vat: 2100, price: 1n, tax: 0n }
    ]
    expect(taxesByRate(lines)).toEqual([
      { vat: 0, net: 8324n, tax: 0n, gross: 8324n },
      { vat: 2100, net: 9001n, tax: 1890n, gross: 10_891n }
    ])
  })

  it('is empty for an invoice without lines', () => {
    expect(taxesByRate([])).toEqual([])
  })
})
