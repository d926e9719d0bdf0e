/** Exact money: integers in minor units (`bigint`) inside, decimal strings on the wire. No floats anywhere. */
import { digitsOf } from './digits.ts'
import { displayAmount } from './locale.ts'

const known = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = (code: string): boolean => known.has(code)

/** Digits after the point by ISO 4217: JPY 0, EUR 2, KWD 3. Throws RangeError for an invalid code. */
export function exponent(currency: string): number {
  if (!isCurrency(currency)) throw new RangeError(`${currency} is not an ISO 4217 currency`)
  return digitsOf(currency)
}

function parseDecimal(text: string, digits: number): bigint | null {
  const match = /^(\d{1,15})(?:\.(\d+))?$/.exec(text)
  if (!match || (match[2]?.length ?? 0) > digits) return null
  return BigInt(match[1]! + (match[2] ?? '').padEnd(digits, '0'))
}

function formatDecimal(value: bigint, digits: number): string {
  const sign = value < 0n ? '-' : ''
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0')
  return sign + (digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text)
}

/** `"123.45"` → 12345n. Null if the text isn't a plain decimal, has a sign, or more digits than the currency. */
export const parseMoney = (text: string, currency: string): bigint | null => parseDecimal(text, exponent(currency))

/** 12345n → `"123.45"`, always with the currency's digits. */
export const formatMoney = (minor: bigint, currency: string): string => formatDecimal(minor, exponent(currency))

/** `"7.5"` → 750n, hundredths of a percent. Null if it isn't a plain decimal with up to 2 decimals. */
export const parsePercent = (text: string): bigint | null => parseDecimal(text, 2)

/** 750n → `"7.5"`, the shortest form. */
export const formatPercent = (hundredths: bigint): string => formatDecimal(hundredths, 2).replace(/\.?0+$/, '')

/** numerator / denominator, half away from zero. The denominator is positive. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return numerator < 0n ? -rounded : rounded
}

const WHOLE = 10_000n // 100 % in hundredths of a percent

/** Adds `vat` (hundredths of a percent) to a price without tax, rounded half up. */
export const withTax = (net: bigint, vat: bigint): bigint => divideHalfUp(net * (WHOLE + vat), WHOLE)

/** Removes the `vat` (hundredths of a percent) from a price with tax, rounded half up. */
export const withoutTax = (gross: bigint, vat: bigint): bigint => divideHalfUp(gross * WHOLE, WHOLE + vat)

/**
 * Converts a unit price that excludes tax to one that includes it (`to_include_tax`), or the reverse. Adding tax and
 * removing it again gives the same price; removing tax and adding it again can differ in the last digit.
 */
export const convertPrice = (
  price: bigint,
  { vat, to_include_tax }: { vat: bigint, to_include_tax: boolean }
): bigint =>
  to_include_tax ? withTax(price, vat) : withoutTax(price, vat)

/**
 * Splits `amount` in proportion to `weights` by largest remainder; the earlier part wins a tie. The parts add up to
 * `amount` exactly. Requires 0 ≤ amount ≤ Σ weights; no part exceeds its weight.
 */
export function allocate(amount: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  if (sum === 0n) return weights.map(() => 0n)
  const parts = weights.map(weight => amount * weight / sum)
  let left = amount - parts.reduce((total, part) => total + part, 0n)
  const byRemainder = weights.map((weight, index) => ({ index, remainder: amount * weight % sum }))
    .sort((a, b) => a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1)
  for (const { index } of byRemainder) {
    if (left === 0n) break
    parts[index]! += 1n
    left -= 1n
  }
  return parts
}

/** Formats money for people with `Intl` in the given language, exactly (no float). */
export const displayMoney = (minor: bigint, currency: string, locale: string): string =>
  displayAmount(formatMoney(minor, currency), currency, locale)
