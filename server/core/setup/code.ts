import { randomBytes } from 'node:crypto'
import { joinDigits } from '@svc/kit/numerals'
import type { SealingSecrets } from '../people/seals/row-seals.ts'

/** Crockford's base 32: without I, L, O and U, to avoid errors when a code is copied by hand. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BITS = 128
const PURPOSE = 'core.setup-code'

/** 128 random bits as 26 characters; the last one holds three bits. */
export function mintCode(): string {
  const number = BigInt(`0x${randomBytes(BITS / 8).toString('hex')}`) << 2n
  return Array.from({ length: 26 }, (_, at) => ALPHABET[Number((number >> BigInt(125 - 5 * at)) & 31n)]).join('')
}

/** The code as shown: `9F3K-07QM-…`. */
export const showCode = (code: string): string => code.match(/.{1,4}/g)!.join('-')

/** Normalizes a typed code: small letters, spaces, dashes, and letters that look like digits. */
export const readCode = (typed: string): string =>
  joinDigits(typed.normalize('NFKC')).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')

/** The column `code_hash`: SQL alone can neither read nor create a code. */
export const hashOfCode = (secrets: SealingSecrets, code: string): Buffer => secrets.mac(PURPOSE, code)

/** Compares in constant time. */
export const isCode = (secrets: SealingSecrets, typed: string, code_hash: Buffer): boolean =>
  secrets.verifyMac(PURPOSE, readCode(typed), code_hash)
