import { problem } from '@svc/kit'
import { allocate, divideHalfUp, withoutTax, withTax } from '@svc/kit/money'

/** Percent values are hundredths of a percent, amounts are minor units. */
export type Discount = { type: 'percent', value: bigint } | { type: 'amount', value: bigint }

export interface PricedLine {
  /** Per piece, without tax, or with tax if the prices include it. */
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
  /** The part of the global discount for each line, tax included. */
  shares: bigint[]
  original_total: bigint
  discount_total: bigint
  total: bigint
  tax_total: bigint
}

const WHOLE = 10_000n // 100 % in hundredths of a percent

/**
 * The only place where a budget's prices are computed. Page, staff view, PDF, events and invoices show its result.
 * `prices_include_tax`: unit prices and amounts off a line include tax, so that three times 300.00 is 900.00. Throws
 * the problem `discount_exceeds_total` if the global amount is more than the sum of the lines.
 */
export function priceBudget({
  items,
  global_discount,
  prices_include_tax = false
}: {
  items: readonly PricedLine[]
  global_discount: Discount | null
  prices_include_tax?: boolean
}): BudgetPrices {
  const gross = items.map(item => grossOf(item, prices_include_tax))
  const shares = allocate(globalDiscount(sum(gross), global_discount), gross)
  const priced = items.map((item, index) =>
    linePrices(item.vat, {
      original_price: toGross(baseOf(item), item.vat, prices_include_tax),
      price: gross[index]! - shares[index]!
    })
  )
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

/** A line's price with tax, after its own discount and before the one on the total. */
export const grossOf = (item: PricedLine, prices_include_tax: boolean): bigint =>
  toGross(discountedBase(item), item.vat, prices_include_tax)

const toGross = (amount: bigint, vat: bigint, prices_include_tax: boolean) =>
  prices_include_tax ? amount : withTax(amount, vat)

function linePrices(vat: bigint, { original_price, price }: Pick<LinePrices, 'original_price' | 'price'>): LinePrices {
  return { original_price, price, tax: price - withoutTax(price, vat), discounted: original_price !== price }
}

/** After the line's own discount. */
function discountedBase(item: PricedLine): bigint {
  const base = baseOf(item)
  return base - lineDiscount(base, item.discount)
}

function lineDiscount(base: bigint, discount: Discount | null): bigint {
  if (!discount) return 0n
  if (discount.type === 'percent') return divideHalfUp(base * discount.value, WHOLE)
  return discount.value < base ? discount.value : base
}

/**
 * The global discount on a sum of lines, with tax. Throws the problem `discount_exceeds_total` if an amount is more
 * than the sum.
 */
export function globalDiscount(gross: bigint, discount: Discount | null): bigint {
  if (!discount) return 0n
  if (discount.type === 'percent') return divideHalfUp(gross * discount.value, WHOLE)
  if (discount.value > gross) throw problem('discount_exceeds_total')
  return discount.value
}

const baseOf = (item: PricedLine) => item.unit_price * BigInt(item.quantity)
export const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
