import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertPrice, parseMoney, parsePercent } from '@svc/kit/money'
import { priceBudget, type Discount, type PricedLine } from '../../../../layers/budget/shared/domain/pricing.ts'

const eur = (text: string) => parseMoney(text, 'EUR')!
const percent = (text: string): Discount => ({ type: 'percent', value: parsePercent(text)! })
const amount = (text: string): Discount => ({ type: 'amount', value: eur(text) })
const aLine = (unit: string, vat = '0', more: Partial<PricedLine> = {}): PricedLine =>
  ({ unit_price: eur(unit), vat: parsePercent(vat)!, quantity: 1, discount: null, ...more })
const price = (items: PricedLine[], global_discount: Discount | null = null) => priceBudget({ items, global_discount })

describe('the pricing function, with the examples of the specification,', () => {
  it('takes 10 % off one line of 100.00 with 21 % VAT: 108.90', () => {
    const priced = price([aLine('100.00', '21')], percent('10'))
    expect(priced.total).toBe(eur('108.90'))
    expect(priced.items[0]).toEqual({
      original_price: eur('121.00'),
      price: eur('108.90'),
      tax: eur('18.90'),
      discounted: true
    })
  })

  it('splits an amount of 30.00 over 100.00 and 200.00: 90.00 and 180.00', () => {
    const priced = price([aLine('100.00'), aLine('200.00')], amount('30.00'))
    expect(priced.items.map(line => line.price)).toEqual([eur('90.00'), eur('180.00')])
    expect(priced.total).toBe(eur('270.00'))
  })

  it('loses no cent with mixed VAT: 33.33, 33.33 (21 %) and 33.34 (0 %) less 10.00 are 104.00', () => {
    expect(price([aLine('33.33', '21'), aLine('33.33', '21'), aLine('33.34')], amount('10.00')).total).toBe(
      eur('104.00')
    )
  })

  it('applies the global percentage after that of the line: 33.33 × 3 less 7.5 % less 10 % is 83.24', () => {
    expect(price([aLine('33.33', '0', { quantity: 3, discount: percent('7.5') })], percent('10')).total).toBe(
      eur('83.24')
    )
  })
})

describe('the pricing function, with the examples of the specification for prices that include tax,', () => {
  const included = (items: PricedLine[], global_discount: Discount | null = null) =>
    priceBudget({ items, global_discount, prices_include_tax: true })

  it('calculates three times 300.00 as exactly 900.00, including 156.20 of tax', () => {
    const priced = included([aLine('300.00', '21', { quantity: 3 })])
    expect(priced.items).toEqual([
      { original_price: eur('900.00'), price: eur('900.00'), tax: eur('156.20'), discounted: false }
    ])
    expect(priced).toMatchObject({ total: eur('900.00'), tax_total: eur('156.20'), discount_total: 0n })
  })

  const less10 = aLine('150.00', '21', { quantity: 2, discount: percent('10') })

  it('takes 10 % off the line 2 × 150.00: 270.00', () => {
    expect(included([less10])).toMatchObject({ original_total: eur('300.00'), total: eur('270.00') })
  })

  it('takes 10 % off the total after the line discount: 243.00', () => {
    expect(included([less10], percent('10'))).toMatchObject({ original_total: eur('300.00'), total: eur('243.00') })
  })

  it('subtracts an amount from a line including its tax', () => {
    expect(included([aLine('300.00', '21', { discount: amount('30.00') })]).total).toBe(eur('270.00'))
    expect(price([aLine('300.00', '21', { discount: amount('30.00') })]).total).toBe(eur('326.70'))
  })

  it('limits a line discount to the line\'s amount, and refuses a global discount above the total', () => {
    expect(included([aLine('10.00', '21', { discount: amount('12.10') })]).total).toBe(0n)
    expect(() => included([aLine('10.00', '21')], amount('10.01'))).toThrow(
      expect.objectContaining({ code: 'discount_exceeds_total' })
    )
  })
})

describe('the conversion of a price between with and without tax', () => {
  const convert = (text: string, vat: string, to_include_tax: boolean) =>
    convertPrice(eur(text), { vat: parsePercent(vat)!, to_include_tax })

  it('rounds to the nearest cent in both directions', () => {
    expect(convert('247.93', '21', true)).toBe(eur('300.00'))
    expect(convert('300.00', '21', false)).toBe(eur('247.93'))
    expect(convert('0.10', '5', true)).toBe(eur('0.11'))
    expect(convert('0.03', '100', false)).toBe(eur('0.02'))
  })

  it('leaves a price without VAT unchanged', () => {
    expect(convert('60.00', '0', true)).toBe(eur('60.00'))
    expect(convert('60.00', '0', false)).toBe(eur('60.00'))
  })

  it('returns the original price when it is converted back, starting without tax', () => {
    fc.assert(fc.property(fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10_000n), (price, vat) => {
      const gross = convertPrice(price, { vat, to_include_tax: true })
      expect(convertPrice(gross, { vat, to_include_tax: false })).toBe(price)
    }))
  })
})

describe('the pricing function, at the limits,', () => {
  it('limits a line discount to the line\'s amount', () => {
    expect(price([aLine('10.00', '21', { discount: amount('999.00') })]).items[0]).toMatchObject({
      price: 0n,
      original_price: eur('12.10'),
      discounted: true
    })
  })

  it('refuses a global discount above the total of the lines', () => {
    expect(() => price([aLine('10.00')], amount('10.01'))).toThrow(
      expect.objectContaining({ code: 'discount_exceeds_total' })
    )
  })

  it('accepts a global discount of exactly the total', () => {
    expect(price([aLine('10.00', '21'), aLine('5.00')], amount('17.10')).total).toBe(0n)
  })

  it('calculates zero for an empty draft', () => {
    expect(price([], percent('10'))).toEqual({
      items: [],
      shares: [],
      original_total: 0n,
      discount_total: 0n,
      total: 0n,
      tax_total: 0n
    })
  })

  it('strikes no price through for a discount of zero', () => {
    expect(price([aLine('10.00', '21', { discount: percent('0') })], percent('0')).items[0]!.discounted).toBe(false)
  })
})

const discounts = fc.option(fc.oneof(
  fc.record({ type: fc.constant('percent' as const), value: fc.bigInt(0n, 10_000n) }),
  fc.record({ type: fc.constant('amount' as const), value: fc.bigInt(0n, 5_000_000n) })
), { nil: null })
const lines = fc.record({
  unit_price: fc.bigInt(0n, 10_000_000n),
  quantity: fc.integer({ min: 1, max: 999 }),
  vat: fc.bigInt(0n, 10_000n),
  discount: discounts
})

describe('for any mix of lines and discounts,', () => {
  it('the prices add up to the total, and a price is struck through exactly when it differs', () => {
    const modes = fc.boolean()
    fc.assert(fc.property(fc.array(lines, { maxLength: 40 }), discounts, modes, (items, global_discount, mode) => {
      const gross = priceBudget({ items, global_discount: null, prices_include_tax: mode }).total
      fc.pre(global_discount?.type !== 'amount' || global_discount.value <= gross)
      const priced = priceBudget({ items, global_discount, prices_include_tax: mode })
      const sum = (pick: (line: (typeof priced.items)[number]) => bigint) =>
        priced.items.reduce((total, line) => total + pick(line), 0n)

      expect(sum(line => line.price)).toBe(priced.total)
      expect(sum(line => line.tax)).toBe(priced.tax_total)
      expect(sum(line => line.original_price)).toBe(priced.original_total)
      expect(priced.original_total - priced.discount_total).toBe(priced.total)
      if (global_discount?.type === 'amount') expect(priced.total).toBe(gross - global_discount.value)
      for (const line of priced.items) {
        expect(line.price >= 0n && line.price <= line.original_price).toBe(true)
        expect(line.tax >= 0n && line.tax <= line.price).toBe(true)
        expect(line.discounted).toBe(line.price !== line.original_price)
      }
    }), { numRuns: 500 })
  })
})
