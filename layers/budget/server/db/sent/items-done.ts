import { eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetItemDone } from '../schema.ts'

/** The day on which each line of a budget was done. Other lines are missing. */
export async function listDone(db: Db | Tx, budget_id: string): Promise<Map<string, string>> {
  const { item_id, done_on } = budgetItemDone
  const rows = await db.select({ item_id, done_on }).from(budgetItemDone).where(eq(budgetItemDone.budget_id, budget_id))
  return new Map(rows.map(row => [row.item_id, row.done_on]))
}

export async function saveDone(tx: Tx, rows: (typeof budgetItemDone.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return
  await tx.insert(budgetItemDone).values(rows)
    .onConflictDoUpdate({ target: budgetItemDone.item_id, set: { done_on: sql`excluded.done_on` } })
}

export async function removeDone(tx: Tx, item_ids: string[]): Promise<void> {
  if (item_ids.length > 0) await tx.delete(budgetItemDone).where(inArray(budgetItemDone.item_id, item_ids))
}
