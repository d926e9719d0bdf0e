import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { rowsOf } from '../../db/rows.ts'
import { coreIdempotency } from '../../db/schema.ts'

/** How long an answer is kept. */
const KEPT = sql`interval '24 hours'`
/** A run that hasn't been renewed for this long has lost its process, so the next one may begin. */
const LEASE = sql`interval '30 seconds'`
export const RENEW_MS = 10_000

export interface Run { id: Buffer, run_id: string }
/** The first run with this key. `answer`: sealed, or null while it runs. */
export interface First { body_mac: Buffer, answer: string | null }

/**
 * Begins a run, or returns the earlier one. It is one statement, so that of two at once, one waits for the other's row.
 */
export async function beginRun(db: Db, { id, body_mac }: { id: Buffer, body_mac: Buffer }): Promise<Run | First> {
  const run_id = randomUUID()
  const isOver = sql`kept.created_at < now() - ${KEPT} or (kept.answer is null and kept.running_until < now())`
  const [begun] = await rowsOf(db, sql`
    insert into core_idempotency as kept (id, body_mac, run_id, running_until)
    values (decode(${id.toString('hex')}, 'hex'), decode(${body_mac.toString('hex')}, 'hex'), ${run_id}::uuid, now() + ${LEASE})
    on conflict (id) do update set body_mac = excluded.body_mac, run_id = excluded.run_id,
      running_until = excluded.running_until, answer = null, created_at = now()
    where ${isOver}
    returning run_id`)
  if (begun) return { id, run_id }
  const [first] = await db
    .select({ body_mac: coreIdempotency.body_mac, answer: coreIdempotency.answer })
    .from(coreIdempotency)
    .where(eq(coreIdempotency.id, id))
  // The earlier run has just ended without an answer.
  return first ?? await beginRun(db, { id, body_mac })
}

const isOwn = ({ id, run_id }: Run) => and(eq(coreIdempotency.id, id), eq(coreIdempotency.run_id, run_id))

export async function renewRun(db: Db, run: Run): Promise<void> {
  await db.update(coreIdempotency).set({ running_until: sql`now() + ${LEASE}` }).where(isOwn(run))
}

/** Does nothing if another run has replaced this one. */
export async function storeAnswer(db: Db, run: Run, answer: string): Promise<void> {
  await db.update(coreIdempotency).set({ answer }).where(isOwn(run))
}

/** Deletes the run, as if it had never begun. */
export async function forgetRun(db: Db, run: Run): Promise<void> {
  await db.delete(coreIdempotency).where(isOwn(run))
}
