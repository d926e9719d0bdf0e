import { expect, test } from 'vitest'
import { priceWith } from '../../../layers/budget/app/utils/option-price.ts'
import type { Answers, Choice } from '../../../layers/budget/app/utils/selection.ts'
import { formatMoney, parseMoney } from '@svc/kit/money'
import { priceSelection, totalsWith, type Offer } from '../../../layers/budget/shared/domain/selection.ts'
import type { Discount } from '../../../layers/budget/shared/domain/pricing.ts'

const anOption = (id: string, price: string) =>
  ({ id, title: id, description: null, recommended: false, price, items: [] })
/** The choices of the specification's examples. */
const choices: Choice[] = [
  { id: 'A', title: 'A', rule: 'exactly_one', options: [anOption('A1', '200.00'), anOption('A2', '300.00')] },
  { id: 'B', title: 'B', rule: 'at_most_one', options: [anOption('B1', '50.00')] }
]
const line = (option_id: string | null, price: string) =>
  ({ option_id, unit_price: parseMoney(price, 'EUR')!, quantity: 1, vat: 0n, discount: null })

/** The server's response, and the text on the card of the option. */
function said(option: string, { base, global_discount, answers = {} }: {
  base: string
  global_discount: Discount | null
  answers?: Answers
}) {
  const lines = [line(null, base), ...choices.flatMap(({ options }) => options.map(({ id, price }) => line(id, price)))]
  const offer: Offer<ReturnType<typeof line>> = { lines, choices, global_discount, prices_include_tax: false }
  const text = (minor: bigint) => formatMoney(minor, 'EUR')
  const { total, original_total } = priceSelection(offer, answers).prices
  const totals = Object.fromEntries([...totalsWith(offer, answers)].map(([id, sum]) => [id, text(sum)]))
  const choice = choices.find(({ options }) => options.some(({ id }) => id === option))!
  const prices = { total: text(total), original_total: text(original_total), with: totals }
  return priceWith(choices, answers, prices as Parameters<typeof priceWith>[2], { choice: choice.id, option })
}

test('an option that completes the selection shows the total, any other option the difference', () => {
  const offer = { base: '100.00', global_discount: null }
  expect([said('A2', offer), said('B1', offer)]).toEqual([['total_with', '400.00'], ['adds', '50.00']])
  expect(said('B1', { ...offer, answers: { A: 'A1' } })).toEqual(['total_with', '350.00'])
  expect(said('B1', { ...offer, answers: { B: 'B1' } })).toBeNull()
  expect(said('B1', { ...offer, global_discount: { type: 'percent', value: 1_000n } })).toEqual(['adds', '45.00'])
  expect(said('B1', { ...offer, base: '0.00' })).toEqual(['adds', '50.00'])
  const percent = { type: 'percent', value: 1_000n } as const
  expect(said('B1', { base: '0.00', global_discount: percent })).toEqual(['adds', '45.00'])
})

test.each([['100.00', 20_000n], ['100.00', 12_000n], ['0.00', 3_000n]])(
  'the price of an extra is hidden while the discount covers the whole total: base %s',
  (base, value) => {
    const offer = { base, global_discount: { type: 'amount', value } as const }
    expect(said('B1', offer)).toBeNull()
    expect(said('A1', offer)?.[0]).toBe('total_with')
  }
)
