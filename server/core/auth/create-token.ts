import type { Db } from '@svc/kit'
import { coreToken } from '../db/schema.ts'
import { hashOfSecret, newSecret } from './secrets.ts'

/** Tells a token from a session's value. */
export const TOKEN_PREFIX = 'svct_'

/** A bearer token of the instance; `token` is shown once and never again. */
export async function createToken({ db }: { db: Db }, input: { scope: 'admin', name?: string | null, expires_at?: Date | null }): Promise<{ id: string, token: string }> {
  const token = `${TOKEN_PREFIX}${newSecret()}`
  const [row] = await db.insert(coreToken)
    .values({ scope: input.scope, name: input.name ?? null, expires_at: input.expires_at ?? null, token_hash: hashOfSecret(token) })
    .returning({ id: coreToken.id })
  return { id: row!.id, token }
}
