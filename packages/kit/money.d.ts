/** Exact money: integers in minor units (`bigint`) inside, decimal strings on the wire. No floats anywhere. */

/** Digits after the point by ISO 4217: JPY 0, EUR 2, KWD 3. Throws RangeError for an invalid code. */
export function exponent(currency: string): number
export function isCurrency(code: string): boolean
/** `"123.45"` → 12345n. Null if the text isn't a plain decimal, has a sign, or more digits than the currency. */
export function parseMoney(text: string, currency: string): bigint | null
/** 12345n → `"123.45"`, always with the currency's digits. */
export function formatMoney(minor: bigint, currency: string): string
/** `"7.5"` → 750n, hundredths of a percent. Null if it isn't a plain decimal with up to 2 decimals. */
export function parsePercent(text: string): bigint | null
/** 750n → `"7.5"`, the shortest form. */
export function formatPercent(hundredths: bigint): string
/** numerator / denominator, half away from zero. The denominator is positive. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint
/** Adds `vat` (hundredths of a percent) to a price without tax, rounded half up. */
export function withTax(net: bigint, vat: bigint): bigint
/** Removes the `vat` (hundredths of a percent) from a price with tax, rounded half up. */
export function withoutTax(gross: bigint, vat: bigint): bigint
/**
 * Converts a unit price that excludes tax to one that includes it (`to_include_tax`), or the reverse. Adding tax and
 * removing it again gives the same price; removing tax and adding it again can differ in the last digit.
 */
export function convertPrice(price: bigint, to: { vat: bigint, to_include_tax: boolean }): bigint
/**
 * Splits `amount` in proportion to `weights` by largest remainder; the earlier part wins a tie. The parts add up to
 * `amount` exactly. Requires 0 ≤ amount ≤ Σ weights; no part exceeds its weight.
 */
export function allocate(amount: bigint, weights: readonly bigint[]): bigint[]
/** Formats money for people with `Intl` in the given language, exactly (no float). */
export function displayMoney(minor: bigint, currency: string, locale: string): string
