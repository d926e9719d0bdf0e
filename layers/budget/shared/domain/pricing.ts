import { problem } from '@svc/kit'
import { allocate, divideHalfUp } from '@svc/kit/money'

/** Percent values are hundredths of a percent, amounts are minor units. */
export type Discount = { type: 'percent', value: bigint } | { type: 'amount', value: bigint }

export interface PricedLine {
  /** Per piece, without tax. */
  unit_price: bigint
  quantity: number
  /** Hundredths of a percent. */
  vat: bigint
  discount: Discount | null
}

export interface LinePrices {
  /** Before any discount, tax included; shown struck through when `discounted`. */
  original_price: bigint
  /** What the patient pays for the line, after both discounts, tax included. */
  price: bigint
  /** The tax within `price`. */
  tax: bigint
  discounted: boolean
}

export interface BudgetPrices {
  items: LinePrices[]
  /** What the global discount takes off each line, tax included. */
  shares: bigint[]
  original_total: bigint
  discount_total: bigint
  total: bigint
  tax_total: bigint
}

const WHOLE = 10_000n // 100 % in hundredths of a percent

/**
 * The one place where a budget gets its prices. Page, staff view, PDF, events and invoices show its result.
 * Throws the problem `discount_exceeds_total` when the global amount is more than the sum of the lines.
 */
export function priceBudget({
  items,
  global_discount
}: {
  items: readonly PricedLine[]
  global_discount: Discount | null
}): BudgetPrices {
  const gross = items.map(grossOf)
  const shares = allocate(globalDiscount(sum(gross), global_discount), gross)
  const priced = items.map((item, index) => linePrices(item, gross[index]! - shares[index]!))
  const total = sum(priced.map(line => line.price))
  const original_total = sum(priced.map(line => line.original_price))
  return {
    items: priced,
    shares,
    original_total,
    discount_total: original_total - total,
    total,
    tax_total: sum(priced.map(line => line.tax))
  }
}

/** After the line's own discount, tax included. */
function grossOf(item: PricedLine): bigint {
  const base = baseOf(item)
  return withTax(base - lineDiscount(base, item.discount), item.vat)
}

function linePrices(item: PricedLine, price: bigint): LinePrices {
  const original_price = withTax(baseOf(item), item.vat)
  const tax = price - divideHalfUp(price * WHOLE, WHOLE + item.vat)
  return { original_price, price, tax, discounted: original_price !== price }
}

function lineDiscount(base: bigint, discount: Discount | null): bigint {
  if (!discount) return 0n
  if (discount.type === 'percent') return divideHalfUp(base * discount.value, WHOLE)
  return discount.value < base ? discount.value : base
}

function globalDiscount(gross: bigint, discount: Discount | null): bigint {
  if (!discount) return 0n
  if (discount.type === 'percent') return divideHalfUp(gross * discount.value, WHOLE)
  if (discount.value > gross) throw problem('discount_exceeds_total')
  return discount.value
}

const baseOf = (item: PricedLine) => item.unit_price * BigInt(item.quantity)
const withTax = (net: bigint, vat: bigint) => divideHalfUp(net * (WHOLE + vat), WHOLE)
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
