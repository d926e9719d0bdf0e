/** Exact money: integers in minor units (`bigint`) inside, decimal strings on the wire. No floats anywhere. */

/** Digits after the point by ISO 4217: JPY 0, EUR 2, KWD 3. Throws RangeError for an invalid code. */
export function exponent(currency: string): number
export function isCurrency(code: string): boolean
/** `"123.45"` → 12345n. Null when the text is no plain decimal, has a sign, or more digits than the currency. */
export function parseMoney(text: string, currency: string): bigint | null
/** 12345n → `"123.45"`; always with the currency's digits. */
export function formatMoney(minor: bigint, currency: string): string
/** `"7.5"` → 750n, hundredths of a percent. Null when it is no plain decimal with up to 2 decimals. */
export function parsePercent(text: string): bigint | null
/** 750n → `"7.5"`, the shortest form. */
export function formatPercent(hundredths: bigint): string
/** numerator / denominator, half away from zero. The denominator is positive. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint
/** A price without tax, with `vat` (hundredths of a percent) added, half-up. */
export function withTax(net: bigint, vat: bigint): bigint
/** A price with tax, with the `vat` (hundredths of a percent) in it removed, half-up. */
export function withoutTax(gross: bigint, vat: bigint): bigint
/**
 * One unit price in the other way of typing prices: with tax when `to_include_tax`, else without. From without to with
 * and back gives the same price; from with to without and back can differ in the last digit.
 */
export function convertPrice(price: bigint, to: { vat: bigint, to_include_tax: boolean }): bigint
/**
 * `amount` split in proportion to `weights` by largest remainder, ties to the earlier one; the parts add up to `amount`
 * exactly. Needs 0 ≤ amount ≤ Σ weights; no part exceeds its weight.
 */
export function allocate(amount: bigint, weights: readonly bigint[]): bigint[]
/** For people: `Intl` in the given language, exact (no float). */
export function displayMoney(minor: bigint, currency: string, locale: string): string
