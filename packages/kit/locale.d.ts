/**
 * The locale that `Intl` gets wherever numbers, money and dates are written for readers of `locale`: page, PDF and mail
 * alike.
 */
export function displayLocale(locale: string): string
/**
 * For people: `"1234.50"`, an amount as on the wire, in the given language with the digits that the currency has by ISO
 * 4217 (`Intl` shows none of some). Exact.
 */
export function displayAmount(amount: string, currency: string, locale: string): string

/** The marks that code puts between words, each with the space after it. */
export interface Punctuation { comma: string, semicolon: string }
/** For bare lists: Arabic has its own marks. For sentences, with "and" or "or", use `Intl.ListFormat`. */
export function punctuationOf(locale: string): Punctuation
