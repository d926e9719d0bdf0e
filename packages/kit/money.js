import { digitsOf } from './digits.js'
import { displayAmount } from './locale.js'

const known = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = code => known.has(code)

export function exponent(currency) {
  if (!isCurrency(currency)) throw new RangeError(`${currency} is not an ISO 4217 currency`)
  return digitsOf(currency)
}

function parseDecimal(text, digits) {
  const match = /^(\d{1,15})(?:\.(\d+))?$/.exec(text)
  if (!match || (match[2]?.length ?? 0) > digits) return null
  return BigInt(match[1] + (match[2] ?? '').padEnd(digits, '0'))
}

function formatDecimal(value, digits) {
  const sign = value < 0n ? '-' : ''
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0')
  return sign + (digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text)
}

export const parseMoney = (text, currency) => parseDecimal(text, exponent(currency))

export const formatMoney = (minor, currency) => formatDecimal(minor, exponent(currency))

export const parsePercent = text => parseDecimal(text, 2)

export const formatPercent = hundredths => formatDecimal(hundredths, 2).replace(/\.?0+$/, '')

export function divideHalfUp(numerator, denominator) {
  const size = numerator < 0n ? -numerator : numerator
  const rounded = (2n * size + denominator) / (2n * denominator)
  return numerator < 0n ? -rounded : rounded
}

const WHOLE = 10_000n // 100 % in hundredths of a percent

export const withTax = (net, vat) => divideHalfUp(net * (WHOLE + vat), WHOLE)

export const withoutTax = (gross, vat) => divideHalfUp(gross * WHOLE, WHOLE + vat)

export const convertPrice = (price, { vat, to_include_tax }) =>
  to_include_tax ? withTax(price, vat) : withoutTax(price, vat)

export function allocate(amount, weights) {
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  if (sum === 0n) return weights.map(() => 0n)
  const parts = weights.map(weight => amount * weight / sum)
  let left = amount - parts.reduce((total, part) => total + part, 0n)
  const byRemainder = weights.map((weight, index) => ({ index, remainder: amount * weight % sum }))
    .sort((a, b) => a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1)
  for (const { index } of byRemainder) {
    if (left === 0n) break
    parts[index] += 1n
    left -= 1n
  }
  return parts
}

export const displayMoney = (minor, currency, locale) => displayAmount(formatMoney(minor, currency), currency, locale)
