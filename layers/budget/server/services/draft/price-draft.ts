import { problem } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import type { ItemPrices } from '../../db/items.ts'
import { priceBudget, type BudgetPrices, type Discount, type PricedLine } from '../../../shared/domain/pricing.ts'
import {
  outermostSelections,
  priceSelection,
  type Choice,
  type Offer,
  type OfferLine
} from '../../../shared/domain/selection.ts'
import type { BudgetTotals } from '../budget/offer.ts'

interface Line extends OfferLine { unit_price: bigint, quantity: number, vat: number, discount: Discount | null }
/** With the lowest and the highest total, if the patient can choose. */
export type DraftTotals = BudgetTotals & Pick<BudgetRow, 'price_from' | 'price_to'>

const MAX_PRICE = 2n ** 63n - 1n

interface Terms {
  global_discount: Discount | null
  prices_include_tax: boolean
  choices: Choice[] | null
}

/**
 * Lines with their prices, and the columns of the budget that depend on them. If the patient can choose, a line's price
 * is the one before the global discount, and the totals are those of the cheapest selection. Throws
 * `discount_exceeds_total`, and refuses sums that don't fit into a column.
 */
export function priceDraft<T extends Line>(
  lines: readonly T[],
  { global_discount, prices_include_tax, choices }: Terms
): { items: (T & ItemPrices)[], totals: DraftTotals } {
  const items = lines.map(line => ({ ...line, vat: BigInt(line.vat) }))
  const all = priceBudget({ items, global_discount: choices ? null : global_discount, prices_include_tax })
  if (all.original_total > MAX_PRICE)
    throw problem('validation_failed', { errors: [{ pointer: '/items', message: 'These prices are too high.' }] })
  return {
    items: lines.map((line, index) => {
      const { original_price, price, tax } = all.items[index]!
      return { ...line, original_price, price, tax }
    }),
    totals: choices
      ? rangeOf({ lines: items, choices, global_discount, prices_include_tax })
      : { ...totalsOf(all), price_from: null, price_to: null }
  }
}

function rangeOf(offer: Offer<PricedLine & OfferLine>): DraftTotals {
  const { cheapest, dearest } = outermostSelections(offer)
  const from = priceSelection(offer, cheapest).prices
  return { ...totalsOf(from), price_from: from.total, price_to: priceSelection(offer, dearest).prices.total }
}

const totalsOf = ({ original_total, total, tax_total }: BudgetPrices): BudgetTotals =>
  ({ original_total, total, tax_total })
