import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetSentCode } from '../schema.ts'

export type SentCodeRow = typeof budgetSentCode.$inferSelect

export async function findSentCode(db: Db | Tx, budget_id: string): Promise<SentCodeRow | null> {
  const [row] = await db.select().from(budgetSentCode).where(eq(budgetSentCode.budget_id, budget_id))
  return row ?? null
}

/** Replaces the previous code, which then becomes wrong. */
export async function saveSentCode(tx: Tx, row: SentCodeRow): Promise<void> {
  await tx.insert(budgetSentCode).values(row).onConflictDoUpdate({ target: budgetSentCode.budget_id, set: row })
}

/** Succeeds once: of parallel calls, one returns true. */
export async function takeSentCode(
  tx: Tx,
  { budget_id, message_id }: { budget_id: string, message_id: string }
): Promise<boolean> {
  const taken = await tx
    .delete(budgetSentCode)
    .where(and(
      eq(budgetSentCode.budget_id, budget_id),
      eq(budgetSentCode.message_id, message_id),
      sql`${budgetSentCode.expires_at} > now()`
    ))
    .returning({ budget_id: budgetSentCode.budget_id })
  return taken.length > 0
}

/** With `channel`, only a code that was sent by this channel. */
export async function removeSentCode(db: Db | Tx, budget_id: string, channel?: string): Promise<void> {
  await db.delete(budgetSentCode).where(and(
    eq(budgetSentCode.budget_id, budget_id),
    channel === undefined ? undefined : eq(budgetSentCode.channel, channel)
  ))
}
