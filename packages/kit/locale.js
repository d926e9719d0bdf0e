import { digitsOf } from './digits.js'

export function displayLocale(locale) {
  // Plain "pt" means Brazil to Intl; our texts are those of Portugal.
  if (locale === 'pt') return 'pt-PT'
  // Codes, phone numbers and teeth are in Latin digits, so prices and dates are too; browsers differ in what plain "ar"
  // means.
  return /^ar\b(?!.*-u-)/.test(locale) ? `${locale}-u-nu-latn` : locale
}

const ARABIC = { comma: '، ', semicolon: '؛ ' }
const LATIN = { comma: ', ', semicolon: '; ' }

export const punctuationOf = locale => /^ar\b/.test(locale) ? ARABIC : LATIN

const formats = new Map()

/** Cached, because creating a formatter costs a thousand times what formatting does. */
function formatOf(currency, locale) {
  const key = `${locale} ${currency}`
  if (!formats.has(key)) {
    const digits = digitsOf(currency)
    formats.set(
      key,
      new Intl.NumberFormat(displayLocale(locale), {
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits
      })
    )
  }
  return formats.get(key)
}

// A decimal text stays exact; a Number would not.
export const displayAmount = (amount, currency, locale) => formatOf(currency, locale).format(amount)
