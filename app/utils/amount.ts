import { exponent, formatMoney, parseMoney } from '@svc/kit/money'
import { toLatinDigits } from '@svc/kit/numerals'

/**
 * An amount as people type it, `1.234,50`, `1,234.5`, `45 €`, `٤٥٫٥`, as the wire's decimal text with the digits of the
 * currency; null if it is not a number. With one separator before three digits it is thousands, unless the currency has
 * three.
 */
export function readAmount(typed: string, currency: string): string | null {
  const text = toDigits(typed)
    .replaceAll('٫', ',')
    .replaceAll('٬', '')
    .replace(/[\u2019'_]/g, '')
    .replace(/^\p{Sc}|^[A-Z]{3}(?=\d)|\p{Sc}$|[A-Z]{3}$/giu, '')
  if (!/^\d[\d.,]*$|^[.,]\d+$/.test(text)) return null
  const decimal = decimalSign(text, exponent(currency))
  const [whole = '', rest = '', ...more] = decimal ? text.split(decimal) : [text]
  if (more.length > 0 || /[.,]/.test(rest) || !isGrouped(whole)) return null
  const minor = parseMoney(`${whole.replace(/[.,]/g, '') || '0'}${rest ? `.${rest}` : ''}`, currency)
  return minor === null ? null : formatMoney(minor, currency)
}

/** A percentage as people type it, `7,5 %`, as the wire's `7.5`; null if it is not one from 0 to 100. */
export function readPercent(typed: string): string | null {
  const text = toDigits(typed).replace(/[%٪\uFF05]/g, '').replace(/[,٫]/, '.')
  return /^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/.test(text) ? String(Number(text)) : null
}

/** A quantity as people type it; NaN unless it is from 1 to 999. */
export function readQuantity(typed: string): number {
  const text = toDigits(typed)
  return /^0*[1-9]\d{0,2}$/.test(text) ? Number(text) : Number.NaN
}

/** In Latin digits, without white space and invisible marks, and with the points and commas of Chinese keyboards. */
const toDigits = (typed: string) =>
  toLatinDigits(typed).replace(/[\s\p{Cf}]/gu, '').replaceAll('\uFF0E', '.').replaceAll('\uFF0C', ',')

/** The wire's decimal text as it stands in a field of that language: `1234,50`. */
export function typedAmount(amount: string, language: string): string {
  const comma = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return amount.replace('.', comma === ',' ? ',' : '.')
}

/**
 * Which of the two separates the decimals: of both kinds the last, of one kind that which stands once and not before
 * thousands.
 */
function decimalSign(text: string, digits: number): string | null {
  const [last] = [...text].filter(sign => sign === '.' || sign === ',').reverse()
  if (!last) return null
  const other = last === '.' ? ',' : '.'
  if (text.includes(other)) return last
  const parts = text.split(last)
  if (parts.length > 2) return null
  return parts[1]!.length === 3 && digits !== 3 && isGrouped(text) ? null : last
}

/** `1.234.567`: groups of three behind the first, all with one sign. */
const isGrouped = (whole: string) => /^\d*$|^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/.test(whole)
