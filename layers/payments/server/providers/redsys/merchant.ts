import { createHash } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import { createRedsysAPI, GatewayError, getSISErrorCodeMessage, HTTPError } from 'redsys-easy'
import type { PaymentSettings } from '../../../shared/settings.ts'
import { createFetch, type Call, type Failure } from '../call-provider.ts'

/** The clinic at Redsys: commerce (FUC), terminal, key and address. */
export interface Merchant { code: string, terminal: string, key: string, host: string }

export const merchantOf = (settings: PaymentSettings): Merchant => ({
  code: settings.redsys_merchant ?? '',
  terminal: settings.redsys_terminal ?? '',
  key: keyOf(settings) ?? '',
  host: settings.mode === 'live' ? settings.redsys_live_host : settings.redsys_test_host
})

const keyOf = ({ mode, redsys_live_key, redsys_test_key }: PaymentSettings): string | null =>
  mode === 'live' ? redsys_live_key : redsys_test_key

export const createApi = (ctx: Ctx, { key, host }: Merchant) => createRedsysAPI({
  secretKey: key,
  urls: {
    redirect: `${host}/sis/realizarPago`,
    restTrataPeticion: `${host}/sis/rest/trataPeticionREST`,
    restIniciaPeticion: `${host}/sis/rest/iniciaPeticionREST`
  },
  // The library's type is that of undici, which has the same shape.
  fetch: createFetch(ctx) as never
})

/** The key is the base64 text of 24 bytes; with any other the cipher throws. */
export const isKey = (key: string): boolean => Buffer.from(key, 'base64').length === 24

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Redsys takes 4 to 12 characters, four digits first, and each order once. The attempt always gives the same one, so
 * that a repeated attempt can't be paid twice.
 */
export function orderOf(attempt_id: string): string {
  const digest = createHash('sha256').update(`redsys order ${attempt_id}`).digest()
  const digits = String(digest.readUInt32BE(0) % 10_000).padStart(4, '0')
  let rest = digest.readBigUInt64BE(4)
  const letters = Array.from({ length: 8 }, () => {
    const letter = LETTERS[Number(rest % 62n)]
    rest /= 62n
    return letter
  })
  return digits + letters.join('')
}

export const callOf = (settings: PaymentSettings): Call => ({ provider: 'redsys', secrets: [keyOf(settings)], classify })

/** An answer of the query that names an error. */
export class QueryError extends Error {
  override name = 'QueryError'
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Redsys can't check the signature with the key that it has. */
const WRONG_KEY = ['SIS0041', 'SIS0042', 'XML0023']

function classify(error: unknown): Failure | null {
  if (error instanceof HTTPError) {
    const { code = 0 } = error
    return code === 429 || code >= 500
      ? { kind: 'unreachable', reason: `status_${code}` }
      : { kind: 'refused', detail: `HTTP ${code}` }
  }
  if (error instanceof GatewayError || error instanceof QueryError) {
    const code = error.code ?? ''
    const detail = [code, getSISErrorCodeMessage(code)].filter(Boolean).join(' ')
    return { kind: WRONG_KEY.includes(code) ? 'wrong_key' : 'refused', detail }
  }
  return null
}
