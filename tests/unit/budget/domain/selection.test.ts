import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isProblem } from '@svc/kit'
import { parseMoney } from '@svc/kit/money'
import type { Discount } from '../../../../layers/budget/shared/domain/pricing.ts'
import {
  outermostSelections,
  priceSelection,
  totalsWith,
  unanswered,
  type Choice,
  type Offer,
  type Selection
} from '../../../../layers/budget/shared/domain/selection.ts'

const eur = (text: string) => parseMoney(text, 'EUR')!
const line = (unit_price: bigint, option_id: string | null, vat = 0n) =>
  ({ unit_price, vat, quantity: 1, discount: null as Discount | null, option_id })
const choice = (id: string, rule: Choice['rule'], options: string[]): Choice =>
  ({ id, title: id, rule, options: options.map(id => ({ id, title: id, description: null, recommended: false })) })

/** Base 100.00; choice A (`exactly_one`) with A1 200.00 and A2 300.00; extra B 50.00 (`at_most_one`). */
const anOffer = (global_discount: Discount | null = null) => ({
  lines: [line(eur('100.00'), null), line(eur('200.00'), 'A1'), line(eur('300.00'), 'A2'), line(eur('50.00'), 'B1')],
  choices: [choice('A', 'exactly_one', ['A1', 'A2']), choice('B', 'at_most_one', ['B1'])],
  global_discount,
  prices_include_tax: false
})
const WITHOUT = { A: 'A1', B: null }
const WITH = { A: 'A2', B: 'B1' }
const totalOf = (global_discount: Discount | null, selection: Selection) =>
  priceSelection(anOffer(global_discount), selection).prices.total
const pricesOf = (global_discount: Discount | null, selection: Selection) =>
  priceSelection(anOffer(global_discount), selection).prices.items.map(({ price }) => price)

describe('the price of a selection, with the examples of the specification,', () => {
  it('is 300.00 for A1 without B and 450.00 for A2 with B, without a discount', () => {
    expect(totalOf(null, WITHOUT)).toBe(eur('300.00'))
    expect(totalOf(null, WITH)).toBe(eur('450.00'))
  })

  it('is 270.00 and 405.00 with a global discount of 10 %', () => {
    const discount = { type: 'percent', value: 1000n } as const
    expect(totalOf(discount, WITHOUT)).toBe(eur('270.00'))
    expect(totalOf(discount, WITH)).toBe(eur('405.00'))
  })

  it('has a global amount of 30.00 taken off: A1 without B: 90.00 + 180.00; A2 with B: 93.33 + 280.00 + 46.67', () => {
    const discount = { type: 'amount', value: eur('30.00') } as const
    expect(pricesOf(discount, WITHOUT)).toEqual(['90.00', '180.00'].map(eur))
    expect(totalOf(discount, WITHOUT)).toBe(eur('270.00'))
    expect(pricesOf(discount, WITH)).toEqual(['93.33', '280.00', '46.67'].map(eur))
    expect(totalOf(discount, WITH)).toBe(eur('420.00'))
  })
})

it('a global amount is taken in full from any selection, up to the total while an answer is missing', () => {
  const offer = { ...anOffer({ type: 'amount', value: eur('120.00') }) }
  expect(unanswered(offer.choices, { A: null, B: null }).map(({ id }) => id)).toEqual(['A'])
  expect(priceSelection(offer, { A: null, B: null }).prices.total).toBe(0n)
  expect(priceSelection(offer, WITHOUT).prices.total).toBe(eur('180.00'))
})

it('a selection whose total is below the global amount throws `discount_exceeds_total`', () => {
  expect(() => totalOf({ type: 'amount', value: eur('300.01') }, WITHOUT)).toThrow(
    expect.objectContaining({ code: 'discount_exceeds_total' })
  )
})

const anyDiscount = (most: number) =>
  fc.option(
    fc.oneof(
      fc.record({ type: fc.constant('percent' as const), value: fc.bigInt(0n, 10_000n) }),
      fc.record({ type: fc.constant('amount' as const), value: fc.bigInt(0n, BigInt(most)) })
    )
  )
const anyLine = (option_id: string | null) =>
  fc.record({
    unit_price: fc.bigInt(0n, 100_000n),
    vat: fc.constantFrom(0n, 400n, 2100n),
    quantity: fc.integer({ min: 1, max: 4 }),
    discount: anyDiscount(5000),
    option_id: fc.constant(option_id)
  })
const anyOffer = fc
  .tuple(
    fc.array(fc.record({ rule: fc.constantFrom('exactly_one' as const, 'at_most_one' as const), more: fc.nat(1) }), {
      maxLength: 3
    }),
    anyDiscount(3000),
    fc.boolean()
  )
  .chain(([shapes, global_discount, prices_include_tax]) => {
    const choices = shapes.map(({ rule, more }, index) =>
      choice(`c${index}`, rule, Array.from({ length: more + 2 }, (_, at) => `c${index}-${at}`))
    )
    const ids = [null, ...choices.flatMap(({ options }) => options.map(({ id }) => id))]
    return fc
      .tuple(...ids.map(id => fc.array(anyLine(id), { minLength: 1, maxLength: 2 })))
      .map(lines => ({ lines: lines.flat(), choices, global_discount, prices_include_tax }))
  })
type AnyOffer = Offer<ReturnType<typeof line>>

/** Every complete selection. */
const selectionsOf = ({ choices }: AnyOffer): Selection[] =>
  choices.reduce<Selection[]>(
    (found, { id, rule, options }) =>
      [...(rule === 'at_most_one' ? [null] : []), ...options.map(option => option.id)].flatMap(answer =>
        found.map(one => ({ ...one, [id]: answer }))
      ),
    [{}]
  )

/** Null for a global amount above the total, which a draft refuses. Any other exception fails the test. */
const carries = (offer: AnyOffer, selection: Selection) => {
  try {
    return priceSelection(offer, selection)
  } catch (error) {
    if (isProblem(error) && error.code === 'discount_exceeds_total') return null
    throw error
  }
}

describe('for any offer,', () => {
  it('the prices of every selection add up to its total, and the total contains nothing else', () => {
    fc.assert(
      fc.property(anyOffer, (offer) => {
        for (const selection of selectionsOf(offer)) {
          const found = carries(offer, selection)
          if (!found) continue
          expect(found.prices.items.reduce((all, { price }) => all + price, 0n)).toBe(found.prices.total)
          const taken = offer.choices.map(({ id }) => selection[id])
          const expected = [null, ...taken.filter(id => id !== null)]
            .flatMap(id => offer.lines.filter(({ option_id }) => option_id === id))
          expect(found.lines).toEqual(expected)
        }
      })
    )
  })

  it('the selections that are reported as cheapest and most expensive have the lowest and the highest total', () => {
    fc.assert(
      fc.property(anyOffer, (offer) => {
        const { cheapest, dearest } = outermostSelections(offer)
        const least = carries(offer, cheapest)
        if (!least) return
        const totals = selectionsOf(offer).map(selection => priceSelection(offer, selection).prices.total)
        const [low, high] = [totals.reduce((a, b) => a < b ? a : b), totals.reduce((a, b) => a > b ? a : b)]
        expect(least.prices.total).toBe(low)
        expect(priceSelection(offer, dearest).prices.total).toBe(high)
      })
    )
  })

  it('the total shown beside an option equals the total after the option is chosen', () => {
    fc.assert(
      fc.property(anyOffer, (offer) => {
        if (!carries(offer, outermostSelections(offer).cheapest)) return
        const nothing = Object.fromEntries(offer.choices.map(({ id }) => [id, null]))
        for (const selection of [nothing, ...selectionsOf(offer)]) {
          const told = totalsWith(offer, selection)
          for (const { id, options } of offer.choices) {
            for (const option of options)
              expect(told.get(option.id)).toBe(priceSelection(offer, { ...selection, [id]: option.id }).prices.total)
          }
        }
      })
    )
  })
})
