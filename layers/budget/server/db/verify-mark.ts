import { eq, sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { budgetVerifyMark } from './schema.ts'

type MarkRow = Pick<typeof budgetVerifyMark.$inferSelect, 'id' | 'state' | 'seal'>

export async function findMark(db: Db, id: number): Promise<MarkRow | null> {
  const { state, seal } = budgetVerifyMark
  const [row] = await db
    .select({ id: budgetVerifyMark.id, state, seal })
    .from(budgetVerifyMark)
    .where(eq(budgetVerifyMark.id, id))
  return row ?? null
}

export async function saveMark(db: Db, { id, state, seal }: MarkRow): Promise<void> {
  await db.insert(budgetVerifyMark).values({ id, state, seal })
    .onConflictDoUpdate({ target: budgetVerifyMark.id, set: { state, seal, saved_at: sql`now()` } })
}

export async function removeMark(db: Db, id: number): Promise<void> {
  await db.delete(budgetVerifyMark).where(eq(budgetVerifyMark.id, id))
}
