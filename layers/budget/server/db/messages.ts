import { and, asc, count, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetMessage } from './schema.ts'

export type MessageRow = typeof budgetMessage.$inferSelect
/** Identifies a thread: the messages of a number with this patient. */
export interface ThreadKey { clinic_id: string, number: string, patient_id: string }

const ofThread = ({ clinic_id, number, patient_id }: ThreadKey) =>
  and(
    eq(budgetMessage.clinic_id, clinic_id),
    eq(budgetMessage.number, number),
    eq(budgetMessage.patient_id, patient_id)
  )

const isUnread = () => and(eq(budgetMessage.from, 'patient'), isNull(budgetMessage.read_at))

/** Oldest first. */
export async function listThread(db: Db | Tx, key: ThreadKey): Promise<MessageRow[]> {
  return await db.select().from(budgetMessage).where(ofThread(key)).orderBy(asc(budgetMessage.seq))
}

/** Messages on this version, oldest first. */
export const listMessagesOf = (db: Db | Tx, budget_id: string): Promise<MessageRow[]> =>
  listMessagesOfAll(db, [budget_id])

/** The same for several versions. */
export async function listMessagesOfAll(db: Db | Tx, budget_ids: string[]): Promise<MessageRow[]> {
  return await db
    .select()
    .from(budgetMessage)
    .where(inArray(budgetMessage.budget_id, budget_ids))
    .orderBy(asc(budgetMessage.seq))
}

/** Call it with all versions of the number locked, because the next number is read and then written. */
export async function nextSeq(tx: Tx, { clinic_id, number }: Omit<ThreadKey, 'patient_id'>): Promise<number> {
  const [row] = await tx
    .select({ last: sql<number>`coalesce(max(${budgetMessage.seq}), 0)::int` })
    .from(budgetMessage)
    .where(and(eq(budgetMessage.clinic_id, clinic_id), eq(budgetMessage.number, number)))
  return row!.last + 1
}

export async function insertMessage(tx: Tx, row: typeof budgetMessage.$inferInsert): Promise<void> {
  await tx.insert(budgetMessage).values(row)
}

/** Questions through one link in the last 24 hours, and the seconds until the oldest no longer counts. */
export async function countAsked(tx: Tx, budget_id: string): Promise<{ n: number, seconds: number }> {
  const [row] = await tx
    .select({
      n: count(),
      seconds: sql<number>`coalesce(ceil(extract(epoch from min(${budgetMessage.at}) + interval '1 day' - now())), 0)::int`
    })
    .from(budgetMessage)
    .where(
      and(
        eq(budgetMessage.budget_id, budget_id),
        eq(budgetMessage.from, 'patient'),
        sql`${budgetMessage.at} > now() - interval '1 day'`
      )
    )
  return row!
}

/** How many of the patient's messages wait for an answer. */
export async function countUnread(db: Db | Tx, key: ThreadKey): Promise<number> {
  return await db.$count(budgetMessage, and(ofThread(key), isUnread()))
}

/** Marks the open questions up to the message `seen` as read; undefined: all; null: none. Returns how many. */
export async function markThreadRead(tx: Tx, key: ThreadKey, seen?: string | null): Promise<number> {
  if (seen === null) return 0 // the screen showed no messages yet
  const last = tx
    .select({ seq: budgetMessage.seq })
    .from(budgetMessage)
    .where(and(ofThread(key), eq(budgetMessage.id, seen ?? '')))
  const rows = await tx
    .update(budgetMessage)
    .set({ read_at: sql`now()` })
    .where(and(ofThread(key), isUnread(), seen ? lte(budgetMessage.seq, last) : undefined))
    .returning({ id: budgetMessage.id })
  return rows.length
}

/** Removes the messages of an erased patient. Returns how many there were. */
export async function removeMessages(tx: Db | Tx, budget_ids: string[]): Promise<number> {
  if (budget_ids.length === 0) return 0
  const rows = await tx
    .delete(budgetMessage)
    .where(inArray(budgetMessage.budget_id, budget_ids))
    .returning({ id: budgetMessage.id })
  return rows.length
}
