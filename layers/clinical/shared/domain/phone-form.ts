import { toLatinDigits } from '@svc/kit/numerals'

const EXTENSION = String.raw`(?:[ ,;]*(?:;ext=|(?:ext(?:ensi[oó]n)?|extn|x|#|poste|durchwahl|dw|ramal|anexo|int|interno|تحويلة)[ .:]*)\d{1,7})?`
const NUMBER = String.raw`\(?(?:\+ ?)?\(?\d(?:[ ()./-]*\d)*${EXTENSION}`
const FORM = new RegExp(`^${NUMBER}$`, 'i')
const RUNS = new RegExp(NUMBER, 'gi')
const ENDS_WITH_EXTENSION = new RegExp(String.raw`(?<=\d\)?)(?!$)${EXTENSION}$`, 'i')
const LONGEST = 60

/** Latin digits, one kind of dash and blank, and no marks that show nothing, as contacts of phones have around them. */
export const cleanPhone = (text: string): string =>
  toLatinDigits(text.replace(/\p{Cf}/gu, ''))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .replaceAll('\uFF0B', '+')
    .replaceAll('\uFF0E', '.')
    .trim()

export const countDigits = (text: string): number => text.replace(/\D/g, '').length

/** Has the form of one phone number, perhaps with an extension; `text` is clean. */
export const isPhoneForm = (text: string): boolean =>
  text.length <= LONGEST && FORM.test(text) && countDigits(withoutExtension(text)) >= 3

export const withoutExtension = (text: string): string => text.replace(ENDS_WITH_EXTENSION, '')

/** What looks like numbers in a text, in order. */
export const findNumberRuns = (text: string): { text: string, at: number }[] =>
  [...text.matchAll(RUNS)].map(found => ({ text: found[0], at: found.index }))

/** For a link; an extension is dialled by hand. */
export const dialUrl = (phone: string): string => `tel:${withoutExtension(cleanPhone(phone)).replace(/[^+\d]/g, '')}`
