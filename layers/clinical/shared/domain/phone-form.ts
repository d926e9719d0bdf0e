import { toLatinDigits } from '@svc/kit/numerals'

const EXTENSION = String.raw`(?:[ ,;]*(?:;ext=|(?:ext(?:ensi[oó]n)?|extn|x|#|poste|durchwahl|dw|ramal|anexo|int|interno|تحويلة)[ .:]*)\d{1,7})?`
const NUMBER = String.raw`\(?(?:\+ ?)?\(?\d(?:[ ()./-]*\d)*${EXTENSION}`
const FORM = new RegExp(`^${NUMBER}$`, 'i')
const RUNS = new RegExp(NUMBER, 'gi')
const ENDS_WITH_EXTENSION = new RegExp(String.raw`(?<=\d\)?)(?!$)${EXTENSION}$`, 'i')
const MAX_LENGTH = 60

/**
 * Converts to Latin digits, plain dashes and single spaces, and removes invisible characters, which contact lists of
 * phones add.
 */
export const cleanPhone = (text: string): string =>
  toLatinDigits(text.replace(/\p{Cf}/gu, ''))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .replaceAll('\uFF0B', '+')
    .replaceAll('\uFF0E', '.')
    .trim()

export const countDigits = (text: string): number => text.replace(/\D/g, '').length

/**
 * Whether the text has the form of a single phone number, with or without an extension. `text` comes from `cleanPhone`.
 */
export const isPhoneForm = (text: string): boolean =>
  text.length <= MAX_LENGTH && FORM.test(text) && countDigits(withoutExtension(text)) >= 3

export const withoutExtension = (text: string): string => text.replace(ENDS_WITH_EXTENSION, '')

/** The parts of a text that look like phone numbers, in order. */
export const findNumberRuns = (text: string): { text: string, at: number }[] =>
  [...text.matchAll(RUNS)].map(found => ({ text: found[0], at: found.index }))

/** The `tel:` URL of a phone number, without its extension, which has to be dialled by hand. */
export const dialUrl = (phone: string): string => `tel:${withoutExtension(cleanPhone(phone)).replace(/[^+\d]/g, '')}`
