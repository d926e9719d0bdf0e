import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { coreToken } from '../db/schema.ts'
import { noLookUp } from './row-seals.ts'

/** False when there is no such token, or it was revoked before. */
export async function revokeToken({ db }: { db: Db }, id: string): Promise<boolean> {
  const rows = await db.update(coreToken).set({ revoked_at: sql`now()`, token_hash: noLookUp() })
    .where(and(eq(coreToken.id, id), isNull(coreToken.revoked_at)))
    .returning({ id: coreToken.id })
  return rows.length > 0
}
