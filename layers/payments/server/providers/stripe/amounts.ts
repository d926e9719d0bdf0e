import { exponent, isCurrency } from '@svc/kit/money'
import { rescale } from '../amounts.ts'

/** Stripe's list of currencies without minor units differs from ISO 4217 in these. */
const DIGITS: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 }

const digitsOf = (currency: string): number => DIGITS[currency] ?? exponent(currency)

/** Null if Stripe can't take this amount: the last of three digits has to be 0. */
export function toStripe(amount: bigint, currency: string): number | null {
  const scaled = rescale(amount, exponent(currency), digitsOf(currency))
  if (scaled === null || scaled > BigInt(Number.MAX_SAFE_INTEGER)) return null
  return digitsOf(currency) === 3 && scaled % 10n !== 0n ? null : Number(scaled)
}

/** Null for an unknown currency, or an amount that it can't have. */
export const fromStripe = (amount: number, currency: string): bigint | null =>
  isCurrency(currency) ? rescale(BigInt(amount), digitsOf(currency), exponent(currency)) : null
