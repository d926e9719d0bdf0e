import { problem } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import type { ItemRow } from '../../db/items.ts'
import { discountOf, type StoredDiscount } from '../../../shared/domain/discount.ts'
import { priceBudget, type Discount } from '../../../shared/domain/pricing.ts'

type Line = StoredDiscount & { unit_price: bigint, quantity: number, vat: number }
export type ItemPrices = Pick<ItemRow, 'original_price' | 'price' | 'tax'>
export type BudgetTotals = Pick<BudgetRow, 'original_total' | 'total' | 'tax_total'>

const LARGEST = 2n ** 63n - 1n

/**
 * Stored lines → what to store as their prices and totals. Throws `discount_exceeds_total`, and refuses sums that fit
 * no column.
 */
export function priceDraft<T extends Line>(
  lines: readonly T[],
  global_discount: Discount | null
): { items: (T & ItemPrices)[], totals: BudgetTotals } {
  const priced = priceBudget({
    items: lines.map(line => ({ ...line, vat: BigInt(line.vat), discount: discountOf(line) })),
    global_discount
  })
  if (priced.original_total > LARGEST)
    throw problem('validation_failed', { errors: [{ pointer: '/items', message: 'These prices are too high.' }] })
  return {
    items: lines.map((line, index) => {
      const { original_price, price, tax } = priced.items[index]!
      return { ...line, original_price, price, tax }
    }),
    totals: { original_total: priced.original_total, total: priced.total, tax_total: priced.tax_total }
  }
}
