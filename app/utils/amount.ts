import { parseDate, Time, toCalendarDateTime, toZoned } from '@internationalized/date'
import { exponent, formatMoney, parseMoney } from '@svc/kit/money'
import { toLatinDigits } from '@svc/kit/numerals'
import { dayIn } from './day-in.ts'

/**
 * Parses a typed amount (`1.234,50`, `1,234.5`, `45 €`, `٤٥٫٥`) to the API's decimal text, with the digits of the
 * currency. Returns null if it isn't a number. A single separator before three digits separates thousands, unless the
 * currency has three digits.
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

/** Parses a typed percentage, `7,5 %`, to the API's `7.5`. Returns null unless it is from 0 to 100. */
export function readPercent(typed: string): string | null {
  const text = toDigits(typed).replace(/[%٪\uFF05]/g, '').replace(/[,٫]/, '.')
  return /^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/.test(text) ? String(Number(text)) : null
}

/** Parses a typed quantity. Returns NaN unless it is from 1 to 999. */
export function readQuantity(typed: string): number {
  const text = toDigits(typed)
  return /^0*[1-9]\d{0,2}$/.test(text) ? Number(text) : Number.NaN
}

/** Converts to Latin digits, without white space and invisible characters, and with ASCII points and commas. */
const toDigits = (typed: string) =>
  toLatinDigits(typed).replace(/[\s\p{Cf}]/gu, '').replaceAll('\uFF0E', '.').replaceAll('\uFF0C', ',')

/** Formats the API's decimal text for an input field of that language: `1234,50`. */
export function typedAmount(amount: string, language: string): string {
  const comma = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return amount.replace('.', comma === ',' ? ',' : '.')
}

/**
 * Returns the decimal separator: the last one if both kinds occur, or the only one if it doesn't separate thousands.
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

/** Whether the text is like `1.234.567`: groups of three digits after the first, all with the same separator. */
const isGrouped = (whole: string) => /^\d*$|^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*$/.test(whole)

/** The fields of `MoneyDialog`, as they are typed. */
export interface MoneyForm { amount: string, method?: string, paid_at?: string }
/** What `MoneyDialog` makes of them: an id for each opening, the amount as the API's decimal text, and a time. */
export interface MoneyInput { id: string, amount: string, paid_at?: string }

/**
 * The `paid_at` to send for a payment's day: undefined for today, so that the server uses the current time, else noon
 * of that day in the clinic's zone.
 */
export function paidAt(day: string, zone: string): string | undefined {
  if (day === dayIn(zone)) return undefined
  try {
    return toZoned(toCalendarDateTime(parseDate(day), new Time(12)), zone).toDate().toISOString()
  } catch {
    return day // not a day: the contract reports it at its field
  }
}
