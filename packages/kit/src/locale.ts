import { digitsOf } from './digits.ts'

/**
 * The locale to pass to `Intl` for numbers, money and dates that readers of `locale` see, on pages, in PDFs and in
 * emails.
 */
export function displayLocale(locale: string): string {
  // Plain "pt" means Brazil to Intl; our texts are those of Portugal.
  if (locale === 'pt') return 'pt-PT'
  // Codes, phone numbers and teeth are in Latin digits, so prices and dates are too; browsers differ in what plain "ar"
  // means.
  return /^ar\b(?!.*-u-)/.test(locale) ? `${locale}-u-nu-latn` : locale
}

/** Punctuation marks between words, each with the space after it. */
export interface Punctuation { comma: string, semicolon: string }
const ARABIC: Punctuation = { comma: '، ', semicolon: '؛ ' }
const LATIN: Punctuation = { comma: ', ', semicolon: '; ' }

/** The marks for bare lists; Arabic has its own. For sentences with "and" or "or", use `Intl.ListFormat`. */
export const punctuationOf = (locale: string): Punctuation => /^ar\b/.test(locale) ? ARABIC : LATIN

const formats = new Map<string, Intl.NumberFormat>()

/** Cached, because creating a formatter costs a thousand times what formatting does. */
function formatOf(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formats.get(key)
  if (known) return known
  const digits = digitsOf(currency)
  const format = new Intl.NumberFormat(displayLocale(locale), {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits
  })
  formats.set(key, format)
  return format
}

/**
 * Formats `"1234.50"`, an amount as on the wire, for people in the given language. It has the currency's digits by ISO
 * 4217 (`Intl` drops those of some currencies), and is exact.
 */
export const displayAmount = (amount: string, currency: string, locale: string): string =>
  // A decimal text stays exact; a Number would not.
  formatOf(currency, locale).format(amount as Intl.StringNumericLiteral)

/** `7.5%` for 750 hundredths of a percent, formatted for the language: `7,5 %` in Spanish. */
export const displayPercent = (hundredths: bigint, locale: string): string =>
  new Intl.NumberFormat(displayLocale(locale), { style: 'percent', maximumFractionDigits: 2 })
    .format(Number(hundredths) / 10_000)
