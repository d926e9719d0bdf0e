import { toPlainDigits } from '@svc/kit/numerals'

/** As it is stored: upper case, without blanks. */
export const joinIban = (text: string): string => toPlainDigits(text).replace(/[\s-]/g, '').toUpperCase()

/** Whether the joined text is an IBAN with correct check digits (ISO 13616, ISO 7064 MOD 97-10). */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = `${text.slice(4)}${text.slice(0, 4)}`.replace(/[A-Z]/g, letter => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}
