import { lt, or, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { coreMailedToken, coreSession } from '../db/schema.ts'

/** Sessions and mailed links that ended a month ago are of no use to anybody; the last used clinic is remembered until then. */
export async function forgetEnded({ db }: { db: Db }): Promise<void> {
  const monthAgo = sql`now() - interval '30 days'`
  await db.delete(coreSession).where(or(lt(coreSession.last_used_at, monthAgo), lt(coreSession.revoked_at, monthAgo)))
  await db.delete(coreMailedToken).where(lt(coreMailedToken.expires_at, monthAgo))
}
