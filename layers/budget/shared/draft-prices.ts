import { isProblem } from '@svc/kit'
import { formatMoney, parseMoney, parsePercent } from '@svc/kit/money'
import { readDiscount, type WireDiscount } from './domain/discount.ts'
import { priceBudget, type BudgetPrices } from './domain/pricing.ts'
import { outermostSelections, priceSelection, type Choice } from './domain/selection.ts'

/** A line's values as decimal texts, as in requests. */
export interface DraftLine {
  unit_price: string
  quantity: number
  vat: string
  discount: WireDiscount | null
  /** The line's option; null for lines in every selection. */
  option_id?: string | null
}
export interface DraftPrices {
  /** `share`: the line's part of the discount on the total. */
  items: { original_price: string, price: string, share: string, discounted: boolean }[]
  /** If the patient can choose, the totals of the cheapest selection. */
  totals: { original: string, discount: string, total: string, tax: string }
  /** The total of the most expensive selection; null without choices. */
  total_to: string | null
}

interface Terms {
  global_discount: WireDiscount | null
  currency: string
  prices_include_tax: boolean
  /** Omit it if there is only one price. */ choices?: Choice[]
}

/**
 * The prices that the server would return for a draft, computed by the server's own functions. If the patient can
 * choose, a line's price is the one before the discount on the total. Null while that discount exceeds the cheapest
 * selection. Expects texts that can be parsed.
 */
export function pricesOf(
  items: readonly DraftLine[],
  { global_discount: discount, currency, prices_include_tax, choices = [] }: Terms
): DraftPrices | null {
  const global_discount = discount && readDiscount(discount, currency)
  const lines = items.map(({ unit_price, quantity, vat, discount, option_id = null }) => ({
    unit_price: parseMoney(unit_price, currency) ?? 0n,
    quantity,
    vat: parsePercent(vat) ?? 0n,
    discount: discount && readDiscount(discount, currency),
    option_id
  }))
  const hasChoices = choices.length > 0
  try {
    const ofAll = hasChoices ? null : global_discount
    const priced = priceBudget({ items: lines, global_discount: ofAll, prices_include_tax })
    const range = hasChoices ? rangeOf({ lines, choices, global_discount, prices_include_tax }) : null
    const text = (minor: bigint) => formatMoney(minor, currency)
    return {
      items: priced.items.map(({ original_price, price, discounted }, index) => ({
        original_price: text(original_price),
        price: text(price),
        share: text(priced.shares[index]!),
        discounted
      })),
      totals: totalsOf(range?.from ?? priced, text),
      total_to: range && text(range.to.total)
    }
  } catch (error) {
    if (isProblem(error) && error.code === 'discount_exceeds_total') return null
    throw error
  }
}

function rangeOf(offer: Parameters<typeof outermostSelections>[0]): { from: BudgetPrices, to: BudgetPrices } {
  const { cheapest, dearest } = outermostSelections(offer)
  return { from: priceSelection(offer, cheapest).prices, to: priceSelection(offer, dearest).prices }
}

const totalsOf = (prices: BudgetPrices, text: (minor: bigint) => string): DraftPrices['totals'] => ({
  original: text(prices.original_total),
  discount: text(prices.discount_total),
  total: text(prices.total),
  tax: text(prices.tax_total)
})
