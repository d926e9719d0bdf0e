import { randomUUID } from 'node:crypto'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetNotice } from './schema.ts'

export type NoticeRow = typeof budgetNotice.$inferSelect

/** False if there is already one. */
export async function insertNotice(
  tx: Tx,
  row: Pick<NoticeRow, 'budget_id' | 'clinic_id' | 'message_id'>
): Promise<boolean> {
  const rows = await tx
    .insert(budgetNotice)
    .values(row)
    .onConflictDoNothing()
    .returning({ budget_id: budgetNotice.budget_id })
  return rows.length > 0
}

export async function findNotice(db: Db, budget_id: string): Promise<NoticeRow | null> {
  const [row] = await db.select().from(budgetNotice).where(eq(budgetNotice.budget_id, budget_id))
  return row ?? null
}

/**
 * A sending process renews its claim. If a claim was not renewed for this long, its process has died or lost the
 * database.
 */
const CLAIM = sql`interval '30 seconds'`
/** How often claims are renewed, in milliseconds. */
export const RENEW_CLAIM_MS = 8000

/** Of all concurrent callers one gets the claim. Null for the others, and once the notice is done. */
export async function claimNotice(db: Db, budget_id: string): Promise<NoticeRow | null> {
  const [row] = await db
    .update(budgetNotice)
    .set({ claimed_at: sql`now()`, claim: randomUUID() })
    .where(
      and(
        eq(budgetNotice.budget_id, budget_id),
        isNull(budgetNotice.done_at),
        or(isNull(budgetNotice.claimed_at), sql`${budgetNotice.claimed_at} < now() - ${CLAIM}`)
      )
    )
    .returning()
  return row ?? null
}

type Claimed = Pick<NoticeRow, 'budget_id' | 'claim'>

/** False if another process has taken the claim. */
const isOwn = ({ budget_id, claim }: Claimed) =>
  and(eq(budgetNotice.budget_id, budget_id), eq(budgetNotice.claim, claim!), isNull(budgetNotice.done_at))

export async function renewNotice(db: Db, claimed: Claimed): Promise<void> {
  await db.update(budgetNotice).set({ claimed_at: sql`now()` }).where(isOwn(claimed))
}

export async function releaseNotice(db: Db, claimed: Claimed): Promise<void> {
  await db.update(budgetNotice).set({ claimed_at: null }).where(isOwn(claimed))
}

export async function markNotified(db: Db, budget_id: string): Promise<void> {
  await db.update(budgetNotice).set({ done_at: sql`now()` }).where(eq(budgetNotice.budget_id, budget_id))
}
