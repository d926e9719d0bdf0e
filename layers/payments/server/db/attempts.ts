import { and, asc, eq, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { attempt, refund } from './schema.ts'

export type StoredAttempt = typeof attempt.$inferSelect
export type NewStoredAttempt = typeof attempt.$inferInsert
export type StoredRefund = typeof refund.$inferSelect
export type NewStoredRefund = typeof refund.$inferInsert

/** Null if the id is taken. */
export async function insertAttempt(tx: Tx, row: NewStoredAttempt): Promise<StoredAttempt | null> {
  const [inserted] = await tx.insert(attempt).values(row).onConflictDoNothing({ target: attempt.id }).returning()
  return inserted ?? null
}

export async function findAttempt(db: Db | Tx, id: string): Promise<StoredAttempt | null> {
  const [row] = await db.select().from(attempt).where(eq(attempt.id, id))
  return row ?? null
}

/** Lock the request first. */
export async function findAttemptLocked(tx: Tx, id: string): Promise<StoredAttempt | null> {
  const [row] = await tx.select().from(attempt).where(eq(attempt.id, id)).for('update')
  return row ?? null
}

interface ByProvider { clinic_id: string, provider: StoredAttempt['provider'], mode: StoredAttempt['mode'] }

/** What a provider's report is about. A report in test mode is never about an attempt of the live mode. */
export async function findReported(
  db: Db,
  { clinic_id, provider, mode }: ByProvider,
  { attempt_id, ref }: { attempt_id: string | null, ref: string | null }
): Promise<StoredAttempt | null> {
  const named = attempt_id !== null ? eq(attempt.id, attempt_id) : ref !== null ? eq(attempt.ref, ref) : undefined
  if (!named) return null
  const [row] = await db
    .select()
    .from(attempt)
    .where(and(eq(attempt.clinic_id, clinic_id), eq(attempt.provider, provider), eq(attempt.mode, mode), named))
  return row ?? null
}

export async function updateAttempt(db: Db | Tx, id: string, change: Partial<NewStoredAttempt>): Promise<void> {
  await db.update(attempt).set(change).where(eq(attempt.id, id))
}

/** After the provider was asked. Nothing changes if a report that came meanwhile has decided the attempt. */
export async function noteCheck(
  db: Db | Tx,
  id: string,
  change: Pick<NewStoredAttempt, 'checks' | 'checked_at' | 'next_check_at' | 'unreachable_since'>
): Promise<void> {
  await db.update(attempt).set(change).where(and(eq(attempt.id, id), notInArray(attempt.state, ['paid', 'mismatch'])))
}

/** The provider has answered. A report that came before may have decided the attempt already. */
export async function saveCheckout(db: Db | Tx, id: string, ref: string): Promise<void> {
  await db
    .update(attempt)
    .set({ ref, state: sql`case when ${attempt.state} = 'open' then 'pending' else ${attempt.state} end` })
    .where(and(eq(attempt.id, id), isNull(attempt.ref)))
}

/** Oldest first. */
export async function listAttempts(db: Db | Tx, request_ids: string[]): Promise<StoredAttempt[]> {
  if (request_ids.length === 0) return []
  return await db
    .select()
    .from(attempt)
    .where(inArray(attempt.request_id, request_ids))
    .orderBy(asc(attempt.created_at), asc(attempt.id))
}

export async function listRefunds(db: Db | Tx, request_ids: string[]): Promise<StoredRefund[]> {
  if (request_ids.length === 0) return []
  return await db
    .select()
    .from(refund)
    .where(inArray(refund.request_id, request_ids))
    .orderBy(asc(refund.created_at), asc(refund.id))
}

const BATCH = 200

/**
 * Attempts and refunds about which the provider has to be asked now. They are asked by jobs; `next_check_at` moves on,
 * so that the next run of the schedule doesn't queue them again.
 */
export async function takeDueAttempts(tx: Tx): Promise<string[]> {
  const due = tx
    .select({ id: attempt.id })
    .from(attempt)
    .where(lte(attempt.next_check_at, sql`now()`))
    .orderBy(asc(attempt.next_check_at))
    .limit(BATCH)
    .for('update', { skipLocked: true })
  const rows = await tx
    .update(attempt)
    .set({ next_check_at: sql`now() + interval '10 minutes'` })
    .where(inArray(attempt.id, due))
    .returning({ id: attempt.id })
  return rows.map(({ id }) => id)
}

export async function takeDueRefunds(tx: Tx): Promise<string[]> {
  const due = tx
    .select({ id: refund.id })
    .from(refund)
    .where(lte(refund.next_check_at, sql`now()`))
    .orderBy(asc(refund.next_check_at))
    .limit(BATCH)
    .for('update', { skipLocked: true })
  const rows = await tx
    .update(refund)
    .set({ next_check_at: sql`now() + interval '10 minutes'` })
    .where(inArray(refund.id, due))
    .returning({ id: refund.id })
  return rows.map(({ id }) => id)
}

/** Null if the id is taken. */
export async function insertRefund(tx: Tx, row: NewStoredRefund): Promise<StoredRefund | null> {
  const [inserted] = await tx.insert(refund).values(row).onConflictDoNothing({ target: refund.id }).returning()
  return inserted ?? null
}

export async function findRefund(db: Db | Tx, id: string): Promise<StoredRefund | null> {
  const [row] = await db.select().from(refund).where(eq(refund.id, id))
  return row ?? null
}

/** Lock the request first. */
export async function findRefundLocked(tx: Tx, id: string): Promise<StoredRefund | null> {
  const [row] = await tx.select().from(refund).where(eq(refund.id, id)).for('update')
  return row ?? null
}

export async function updateRefund(db: Db | Tx, id: string, change: Partial<NewStoredRefund>): Promise<void> {
  await db.update(refund).set(change).where(eq(refund.id, id))
}

/** Texts and addresses below these requests. */
export async function emptyAttempts(tx: Db | Tx, request_ids: string[]): Promise<number> {
  if (request_ids.length === 0) return 0
  await tx.update(attempt).set({ return_to: null }).where(inArray(attempt.request_id, request_ids))
  const rows = await tx
    .update(refund)
    .set({ reason: null, detail: null })
    .where(and(inArray(refund.request_id, request_ids), or(sql`${refund.reason} is not null`, sql`${refund.detail} is not null`)))
    .returning({ id: refund.id })
  const notes = await tx
    .update(attempt)
    .set({ payment_ref: null })
    .where(and(inArray(attempt.request_id, request_ids), eq(attempt.provider, 'manual'), sql`${attempt.payment_ref} is not null`))
    .returning({ id: attempt.id })
  return rows.length + notes.length
}
