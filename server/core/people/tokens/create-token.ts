import { randomUUID } from 'node:crypto'
import type { Db } from '@svc/kit'
import { OPERATOR } from '../accounts/record-account.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { coreToken } from '../../db/schema.ts'
import { lookUpOf, sealOf, type SealingSecrets } from '../seals/row-seals.ts'
import { newSecret } from '../new-secret.ts'

/** The prefix of tokens, which distinguishes them from the values of sessions. */
export const TOKEN_PREFIX = 'svct_'

/** The scope of a token: all rights of the instance's administrators, or only reading `/metrics`. */
export const TOKEN_SCOPES = ['admin', 'metrics'] as const
export type TokenScope = typeof TOKEN_SCOPES[number]

interface NewToken { scope: TokenScope, name?: string | null, expires_at?: Date | null }

/** A bearer token of the instance; `token` is shown only once. */
export async function createToken(
  { db, secrets }: { db: Db, secrets: SealingSecrets },
  { scope, name = null, expires_at = null }: NewToken
): Promise<{ id: string, token: string }> {
  const token = `${TOKEN_PREFIX}${newSecret()}`
  const row = { id: randomUUID() as string, scope, name, expires_at, token_hash: lookUpOf(secrets, token) }
  await db.transaction(async (tx) => {
    await tx.insert(coreToken).values({ ...row, seal: sealOf(secrets, 'token', row) })
    await recordAudit({ secrets }, tx, {
      clinic_id: null,
      ...OPERATOR,
      action: 'token_created',
      target: { kind: 'token', id: row.id },
      detail: { name, scope, expires_at: expires_at?.toISOString() ?? null }
    })
  })
  return { id: row.id, token }
}
