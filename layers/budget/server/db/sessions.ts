import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { WITHOUT_STANDBY } from './prepared.ts'
import { budgetSession } from './schema.ts'

/** Seconds since the last use, and since the session was opened. */
export const IDLE_SECONDS = 30 * 60
const MAX_SECONDS = 2 * 60 * 60

/** Open, used within 30 minutes and opened within 2 hours, by the database's clock. */
export function isLive(): SQL {
  return and(
    isNull(budgetSession.ended_at),
    sql`${budgetSession.last_used_at} > now() - make_interval(secs => ${sql.raw(String(IDLE_SECONDS))})`,
    sql`${budgetSession.created_at} > now() - make_interval(secs => ${sql.raw(String(MAX_SECONDS))})`
  )!
}

export async function insertSession(
  tx: Tx,
  session: {
    session_hash: Buffer
    budget_id: string
    clinic_id: string
    created_at: Date
    handed_by: string | null
    seal: Buffer
  }
): Promise<void> {
  await tx.insert(budgetSession).values(session)
}

/** For a decision: new codes, new links and ended sessions are also written under the budget's lock. */
export async function isSessionLive(tx: Tx, session_hash: Buffer): Promise<boolean> {
  const rows = await tx.select({ session_hash: budgetSession.session_hash }).from(budgetSession)
    .where(and(eq(budgetSession.session_hash, session_hash), isLive()))
  return rows.length > 0
}

/**
 * Of concurrent requests only one writes. Its commit does not wait for a standby, because a failover may lose the time
 * of a use. A locked row is skipped, because a decision whose commit waits may hold it.
 */
export async function touchSession(db: Db, session_hash: Buffer): Promise<void> {
  const isStale = sql`${budgetSession.last_used_at} < now() - interval '1 minute'`
  const free = db.select({ session_hash: budgetSession.session_hash }).from(budgetSession)
    .where(and(eq(budgetSession.session_hash, session_hash), isLive(), isStale))
    .for('no key update', { skipLocked: true })
  await db
    .update(budgetSession)
    .set({ last_used_at: sql`now()` })
    .where(inArray(budgetSession.session_hash, free))
    .returning({ commit: WITHOUT_STANDBY })
}

/** Removes sessions that have ended; their actions are in the access log. */
export async function removeOldSessions(db: Db): Promise<void> {
  await db.delete(budgetSession).where(sql`${budgetSession.created_at} < now() - interval '1 day'`)
}

/** True only for the first read in a session, however many requests run at once. */
export async function markRead(tx: Tx, session_hash: Buffer): Promise<boolean> {
  const rows = await tx.update(budgetSession).set({ read_at: sql`now()` })
    .where(and(eq(budgetSession.session_hash, session_hash), isNull(budgetSession.read_at)))
    .returning({ session_hash: budgetSession.session_hash })
  return rows.length > 0
}

/** False if it had already ended. The row is deleted, because one that is only marked could be restored. */
export async function endSession(tx: Tx, session_hash: Buffer): Promise<boolean> {
  const rows = await tx.delete(budgetSession)
    .where(and(eq(budgetSession.session_hash, session_hash), isNull(budgetSession.ended_at)))
    .returning({ session_hash: budgetSession.session_hash })
  return rows.length > 0
}

export async function endSessions(tx: Tx, budget_id: string): Promise<void> {
  await tx.delete(budgetSession).where(eq(budgetSession.budget_id, budget_id))
}

export async function endAllSessions(db: Db): Promise<void> {
  await db.delete(budgetSession)
}
