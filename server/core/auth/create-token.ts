import type { Db } from '@svc/kit'
import { coreToken } from '../db/schema.ts'
import { hashOfSecret, newSecret } from './secrets.ts'

/** Tells a token from a session's value. */
export const TOKEN_PREFIX = 'svct_'

/** What a token may do: what the instance's administrators may, or read `/metrics` and nothing else. */
export const TOKEN_SCOPES = ['admin', 'metrics'] as const
export type TokenScope = typeof TOKEN_SCOPES[number]

interface NewToken { scope: TokenScope, name?: string | null, expires_at?: Date | null }

/** A bearer token of the instance; `token` is shown once and never again. */
export async function createToken({ db }: { db: Db }, input: NewToken): Promise<{ id: string, token: string }> {
  const token = `${TOKEN_PREFIX}${newSecret()}`
  const [row] = await db.insert(coreToken)
    .values({ scope: input.scope, name: input.name ?? null, expires_at: input.expires_at ?? null, token_hash: hashOfSecret(token) })
    .returning({ id: coreToken.id })
  return { id: row!.id, token }
}
