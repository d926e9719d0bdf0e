import { randomInt } from 'node:crypto'

/** Crockford's base 32: without I, L, O and U, to avoid errors when a code is read out. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 5 bits each: 40 in all. */
const LENGTH = 8

/** Eight random characters. */
export const mintShortCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** `K7Q49XTM` as shown and read out: `K7Q4-9XTM`. */
export const showShortCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Normalizes typed text into the stored form: small letters, spaces, and letters that look like digits. */
export const readShortCode = (typed: string): string =>
  typed.normalize('NFKC').toUpperCase().replace(/[\s\-\u2010-\u2015]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')

/** The path that someone types, relative to the instance's URL. */
export const shortPath = (code: string): string => `/b/${showShortCode(code)}`
