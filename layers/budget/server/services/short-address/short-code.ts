import { randomInt } from 'node:crypto'

/** Crockford's base 32: no I, L, O or U, so that what is read out is heard right. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 5 bits each: 40 in all. */
const LENGTH = 8

/** Eight characters that were never used before. */
export const mintShortCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** `K7Q49XTM` as it is shown and read out: `K7Q4-9XTM`. */
export const showShortCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** As it is stored, from what someone typed: small letters, spaces and letters that look like digits are read too. */
export const readShortCode = (typed: string): string =>
  typed.normalize('NFKC').toUpperCase().replace(/[\s\-\u2010-\u2015]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')

/** The address that someone types, below the instance's. */
export const shortPath = (code: string): string => `/b/${showShortCode(code)}`
