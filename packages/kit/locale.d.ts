/**
 * The locale to pass to `Intl` for numbers, money and dates that readers of `locale` see, on pages, in PDFs and in
 * emails.
 */
export function displayLocale(locale: string): string
/**
 * Formats `"1234.50"`, an amount as on the wire, for people in the given language. It has the currency's digits by ISO
 * 4217 (`Intl` drops those of some currencies), and is exact.
 */
export function displayAmount(amount: string, currency: string, locale: string): string

/** Punctuation marks between words, each with the space after it. */
export interface Punctuation { comma: string, semicolon: string }
/** The marks for bare lists; Arabic has its own. For sentences with "and" or "or", use `Intl.ListFormat`. */
export function punctuationOf(locale: string): Punctuation
