import { formatMoney, formatPercent, parseMoney, parsePercent } from '@svc/kit/money'
import type { Discount } from './pricing.ts'

/** A discount as sent and received: `{ type: 'percent', value: '7.5' }` or `{ type: 'amount', value: '30.00' }`. */
export interface WireDiscount { type: 'percent' | 'amount', value: string }
/** A discount as it is stored, in two columns. */
export interface StoredDiscount { discount_type: 'percent' | 'amount' | null, discount_value: bigint | null }

/** Null if an amount has more decimals than the currency, or a percentage is invalid. */
export function readDiscount({ type, value }: WireDiscount, currency: string): Discount | null {
  const parsed = type === 'percent' ? parsePercent(value) : parseMoney(value, currency)
  return parsed === null ? null : { type, value: parsed }
}

export const showDiscount = ({ type, value }: Discount, currency: string): WireDiscount =>
  ({ type, value: type === 'percent' ? formatPercent(value) : formatMoney(value, currency) })

export const storedDiscount = (discount: Discount | null): StoredDiscount =>
  ({ discount_type: discount?.type ?? null, discount_value: discount?.value ?? null })

export const discountOf = ({ discount_type, discount_value }: StoredDiscount): Discount | null =>
  discount_type === null || discount_value === null ? null : { type: discount_type, value: discount_value }
