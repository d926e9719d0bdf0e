import { and, eq, sql } from 'drizzle-orm'
import type { Tx, Db } from '@svc/kit'
import { day } from './schema.ts'

export interface DayKey { clinic_id: string, day: string }
const at = (key: DayKey) => and(eq(day.clinic_id, key.clinic_id), eq(day.day, key.day))

/** Today in the clinic's zone, by the database's clock. */
export async function todayIn(db: Db | Tx, time_zone: string): Promise<string> {
  const [row] = await db.execute<{ today: string }>(sql`select (now() at time zone ${time_zone})::date::text as today`)
  return row!.today
}

/**
 * Counts one message more, unless the limit is reached: then it counts the refusal and returns false. Two statements at
 * once wait for each other's transaction, so together they never pass the limit.
 */
export async function reserve(tx: Tx, key: DayKey, limit: number): Promise<boolean> {
  const taken = await tx.insert(day).values({ ...key, sent: 1 }).onConflictDoUpdate({
    target: [day.clinic_id, day.day],
    set: { sent: sql`${day.sent} + 1` },
    setWhere: sql`${day.sent} < ${limit}`
  }).returning({ sent: day.sent })
  if (taken.length > 0) return true
  await tx.update(day).set({ refused: sql`${day.refused} + 1` }).where(at(key))
  return false
}

/** For a message that the provider did not take. */
export async function release(tx: Tx, key: DayKey): Promise<void> {
  await tx.update(day).set({ sent: sql`greatest(${day.sent} - 1, 0)` }).where(at(key))
}

export async function countOf(db: Db | Tx, key: DayKey): Promise<{ sent: number, refused: number }> {
  const [row] = await db.select({ sent: day.sent, refused: day.refused }).from(day).where(at(key))
  return row ?? { sent: 0, refused: 0 }
}

export async function refusedIn(
  db: Db,
  { clinic_id, from, to }: { clinic_id: string, from: string, to: string }
): Promise<number> {
  const [row] = await db.select({ n: sql<number>`coalesce(sum(refused), 0)::int` }).from(day)
    .where(and(eq(day.clinic_id, clinic_id), sql`${day.day} between ${from}::text::date and ${to}::text::date`))
  return row!.n
}
