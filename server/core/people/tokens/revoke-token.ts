import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { OPERATOR } from '../accounts/record-account.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { coreToken } from '../../db/schema.ts'
import { noLookUp, type SealingSecrets } from '../seals/row-seals.ts'

/** False if there is no such token, or it was already revoked. */
export async function revokeToken(
  { db, secrets }: { db: Db, secrets: SealingSecrets },
  id: string
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const rows = await tx.update(coreToken).set({ revoked_at: sql`now()`, token_hash: noLookUp() })
      .where(and(eq(coreToken.id, id), isNull(coreToken.revoked_at)))
      .returning({ id: coreToken.id })
    if (rows.length === 0) return false
    const target = { kind: 'token', id }
    await recordAudit({ secrets }, tx, { clinic_id: null, ...OPERATOR, action: 'token_revoked', target })
    return true
  })
}
