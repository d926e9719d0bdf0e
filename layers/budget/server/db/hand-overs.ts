import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetHandOver } from './schema.ts'

export type HandOverRow = typeof budgetHandOver.$inferSelect

export const HAND_OVER_SECONDS = 10 * 60
/** Created less than ten minutes ago, by the database's clock. */
const isFresh = () =>
  sql`${budgetHandOver.created_at} > now() - make_interval(secs => ${sql.raw(String(HAND_OVER_SECONDS))})`

/** Replaces an earlier one of the same budget. False if another budget has these digits now. */
export async function saveHandOver(tx: Tx, row: HandOverRow): Promise<boolean> {
  await tx.delete(budgetHandOver).where(or(eq(budgetHandOver.budget_id, row.budget_id), sql`not (${isFresh()})`))
  const rows = await tx.insert(budgetHandOver).values(row)
    .onConflictDoNothing()
    .returning({ budget_id: budgetHandOver.budget_id })
  return rows.length > 0
}

/** Finds it by its digits or its secret, hashed by `handOverLookUps`, even if it was used. */
export async function findHandOver(
  db: Db,
  hashes: Buffer[],
  column: 'digits_hash' | 'secret_hash'
): Promise<HandOverRow | null> {
  const [row] = await db.select().from(budgetHandOver).where(and(inArray(budgetHandOver[column], hashes), isFresh()))
  return row ?? null
}

/**
 * Succeeds once: of all concurrent callers one gets true. Without its seal the row opens nothing. It stays until it
 * would have expired, so that its digits do not count as wrong ones.
 */
export async function takeHandOver(tx: Tx, { budget_id, seal }: HandOverRow): Promise<boolean> {
  const rows = await tx.update(budgetHandOver).set({ seal: Buffer.alloc(0) })
    .where(and(eq(budgetHandOver.budget_id, budget_id), eq(budgetHandOver.seal, seal), isFresh()))
    .returning({ budget_id: budgetHandOver.budget_id })
  return rows.length > 0
}

export async function removeHandOver(tx: Db | Tx, budget_id: string): Promise<void> {
  await tx.delete(budgetHandOver).where(eq(budgetHandOver.budget_id, budget_id))
}
