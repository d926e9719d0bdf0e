import { isProblem } from '@svc/kit'
import { formatMoney, parseMoney, parsePercent } from '@svc/kit/money'
import { readDiscount, type WireDiscount } from './domain/discount.ts'
import { priceBudget } from './domain/pricing.ts'

/** Decimal texts, as they travel. */
export interface DraftLine { unit_price: string, quantity: number, vat: string, discount: WireDiscount | null }
export interface DraftPrices {
  /** `share`: what the discount on the total takes off the line. */
  items: { original_price: string, price: string, share: string, discounted: boolean }[]
  totals: { original: string, discount: string, total: string, tax: string }
}

/**
 * What the server would answer for a draft, by the server's own function. Null while the global amount is more than the
 * sum of the lines. Expects texts that can be read.
 */
export function pricesOf(
  items: readonly DraftLine[],
  global_discount: WireDiscount | null,
  currency: string,
  prices_include_tax: boolean
): DraftPrices | null {
  try {
    const priced = priceBudget({
      items: items.map(({ unit_price, quantity, vat, discount }) => ({
        unit_price: parseMoney(unit_price, currency) ?? 0n,
        quantity,
        vat: parsePercent(vat) ?? 0n,
        discount: discount && readDiscount(discount, currency)
      })),
      global_discount: global_discount && readDiscount(global_discount, currency),
      prices_include_tax
    })
    const text = (minor: bigint) => formatMoney(minor, currency)
    return {
      items: priced.items.map(({ original_price, price, discounted }, index) => ({
        original_price: text(original_price),
        price: text(price),
        share: text(priced.shares[index]!),
        discounted
      })),
      totals: {
        original: text(priced.original_total),
        discount: text(priced.discount_total),
        total: text(priced.total),
        tax: text(priced.tax_total)
      }
    }
  } catch (error) {
    if (isProblem(error) && error.code === 'discount_exceeds_total') return null
    throw error
  }
}
