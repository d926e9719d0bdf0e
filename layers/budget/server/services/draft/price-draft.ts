import { problem } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import type { ItemPrices } from '../../db/items.ts'
import { priceBudget, type Discount } from '../../../shared/domain/pricing.ts'

interface Line { unit_price: bigint, quantity: number, vat: number, discount: Discount | null }
export type BudgetTotals = Pick<BudgetRow, 'original_total' | 'total' | 'tax_total'>

const LARGEST = 2n ** 63n - 1n

/**
 * Lines with their prices, and the totals of all. Throws `discount_exceeds_total`, and refuses sums that fit no
 * column.
 */
export function priceDraft<T extends Line>(
  lines: readonly T[],
  { global_discount, prices_include_tax }: { global_discount: Discount | null, prices_include_tax: boolean }
): { items: (T & ItemPrices)[], totals: BudgetTotals } {
  const items = lines.map(line => ({ ...line, vat: BigInt(line.vat) }))
  const priced = priceBudget({ items, global_discount, prices_include_tax })
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
