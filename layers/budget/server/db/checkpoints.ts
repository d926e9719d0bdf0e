import { and, asc, eq, inArray, lte, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import type { Status } from '../../shared/domain/budget-state.ts'
import type { CheckpointRow } from './proof.ts'
import { budget, budgetAccessLog, budgetLogCheckpoint } from './schema.ts'

const CLOSED: Status[] = ['accepted', 'rejected', 'expired', 'cancelled', 'superseded']
const MICROSECONDS = sql.raw('\'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\'')
const BATCH = 100

/** The current time, and the time that many months ago, with microseconds like the instants of `readProof`. */
export async function findTerm(tx: Tx, months: number): Promise<{ now: string, before: string }> {
  const text = (at: SQL) => sql<string>`to_char(${at} at time zone 'UTC', ${MICROSECONDS})`
  const [row] = await tx
    .select({ now: text(sql`now()`), before: text(sql`(now() - make_interval(months => ${months}::int))`) })
    .from(sql`(select) as one`)
  return row!
}

/** The first row of a log; `at` has microseconds. */
export interface Beginning { budget_id: string, at: string, id: string }
export const BEFORE_ALL: Pick<Beginning, 'at' | 'id'> = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/**
 * The beginnings of the clinic's logs of closed versions whose first row is older than that many months, oldest first,
 * in batches after `after`.
 */
export async function listOverTerm(
  db: Db,
  { clinic_id, months, after }: { clinic_id: string, months: number, after: Pick<Beginning, 'at' | 'id'> }
): Promise<Beginning[]> {
  const row = budgetAccessLog
  return await db
    .select({
      budget_id: row.budget_id,
      at: sql<string>`to_char(${row.at} at time zone 'UTC', ${MICROSECONDS})`,
      id: row.id
    })
    .from(row)
    .innerJoin(budget, eq(budget.id, row.budget_id))
    .where(
      and(
        eq(row.clinic_id, clinic_id),
        sql`${row.at} < now() - make_interval(months => ${months}::int)`,
        sql`(${row.at}, ${row.id}) > (${after.at}::text::timestamptz, ${after.id}::uuid)`,
        sql`${row.seq} = (select l.seq from ${row} l where l.budget_id = ${row.budget_id} order by l.seq limit 1)`,
        inArray(budget.status, CLOSED)
      )
    )
    .orderBy(asc(row.at), asc(row.id))
    .limit(BATCH)
}

export const isClosed = (status: Status): boolean => CLOSED.includes(status)

/** Replaces an older one. */
export async function saveCheckpoint(tx: Tx | Db, { from_at, to_at, made_at, ...row }: CheckpointRow): Promise<void> {
  const instant = (text: string) => sql`${text}::text::timestamptz`
  const values = { ...row, from_at: instant(from_at), to_at: instant(to_at), made_at: instant(made_at) }
  await tx
    .insert(budgetLogCheckpoint)
    .values(values as never)
    .onConflictDoUpdate({ target: budgetLogCheckpoint.budget_id, set: values })
}

/** Deletes the rows that a checkpoint replaces. */
export async function removeLogRows(tx: Tx, budget_id: string, upTo: number): Promise<void> {
  await tx.delete(budgetAccessLog).where(and(eq(budgetAccessLog.budget_id, budget_id), lte(budgetAccessLog.seq, upTo)))
}
