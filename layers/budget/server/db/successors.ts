import { inArray } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { RemovedDraft } from './numbers.ts'
import { budget, budgetRemovedDraft } from './schema.ts'

/**
 * Which of these ids are existing budgets, and the notes of deleted drafts. The notes are read second, because a
 * deletion leaves one.
 */
export async function findSuccessors(db: Db, ids: string[]): Promise<{ found: string[], notes: RemovedDraft[] }> {
  const found = (await db.select({ id: budget.id }).from(budget).where(inArray(budget.id, ids))).map(({ id }) => id)
  if (found.length === ids.length) return { found, notes: [] }
  const { budget_id, clinic_id, number, version, seal } = budgetRemovedDraft
  const notes = await db
    .select({ budget_id, clinic_id, number, version, seal })
    .from(budgetRemovedDraft)
    .where(inArray(budget_id, ids))
  return { found, notes }
}
