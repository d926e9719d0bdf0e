import { randomBytes } from 'node:crypto'
import { joinDigits } from '@svc/kit/numerals'
import type { SealingSecrets } from '../auth/row-seals.ts'

/** Crockford's base 32: no I, L, O or U, so that what is copied by hand is read right. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BITS = 128
const PURPOSE = 'core.setup-code'

/** 128 random bits as 26 characters; the last one carries three of them. */
export function mintCode(): string {
  const number = BigInt(`0x${randomBytes(BITS / 8).toString('hex')}`) << 2n
  return Array.from({ length: 26 }, (_, at) => ALPHABET[Number((number >> BigInt(125 - 5 * at)) & 31n)]).join('')
}

/** As it is shown: `9F3K-07QM-…`. */
export const showCode = (code: string): string => code.match(/.{1,4}/g)!.join('-')

/** As it was made, of whatever was typed: small letters, spaces, dashes and letters that look like digits. */
export const readCode = (typed: string): string =>
  joinDigits(typed.normalize('NFKC')).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')

/** The column `code_hash`: SQL alone can neither read a code nor make one. */
export const hashOfCode = (secrets: SealingSecrets, code: string): Buffer => secrets.mac(PURPOSE, code)

/** Constant time. */
export const isCode = (secrets: SealingSecrets, typed: string, code_hash: Buffer): boolean =>
  secrets.verifyMac(PURPOSE, readCode(typed), code_hash)
