import { randomBytes } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import type { StoredRequest } from '../db/requests.ts'

const PURPOSE = 'payments link'

/** 256 random bits, base64url: the database has a keyed hash, and the token sealed. */
export function mintToken(ctx: Ctx) {
  const token = randomBytes(32).toString('base64url')
  return { token_mac: ctx.secrets.mac(PURPOSE, token), token_sealed: ctx.secrets.seal(PURPOSE, token) }
}

export const macsOf = (ctx: Ctx, token: string): Buffer[] => ctx.secrets.macs(PURPOSE, token)

/** The page of the request, relative to the instance's URL. */
export const payPath = (ctx: Ctx, row: StoredRequest): string => `/pay/${tokenOf(ctx, row)}`

export const tokenOf = (ctx: Ctx, { token_sealed }: StoredRequest): string =>
  Buffer.from(ctx.secrets.open(PURPOSE, token_sealed)).toString()

/** Below this path the API serves the page of a link. */
export const publicPath = (token: string): string => `/api/v1/public/payments/pay/${token}`
