import { eq } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import { failing } from './schema.ts'

export type FailingRow = typeof failing.$inferSelect

/** `since` stays at the first failure. */
export async function noteFailing(db: Db, row: Pick<FailingRow, 'clinic_id' | 'error'>): Promise<void> {
  const { error } = row
  await db.insert(failing).values(row).onConflictDoUpdate({ target: failing.clinic_id, set: { error } })
}

export async function noteAnswering(db: Db, clinic_id: string): Promise<void> {
  await db.delete(failing).where(eq(failing.clinic_id, clinic_id))
}

export async function findFailing(db: Db, clinic_id: string): Promise<FailingRow | null> {
  const [row] = await db.select().from(failing).where(eq(failing.clinic_id, clinic_id))
  return row ?? null
}

export const listFailing = (db: Db): Promise<FailingRow[]> => db.select().from(failing)
