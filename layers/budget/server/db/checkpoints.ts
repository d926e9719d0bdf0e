import { and, asc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import type { Status } from '../domain/budget-state.ts'
import type { CheckpointRow } from './proof.ts'
import { budget, budgetAccessLog, budgetLogCheckpoint } from './schema.ts'

const CLOSED: Status[] = ['accepted', 'rejected', 'expired', 'cancelled', 'superseded']
const MICROSECONDS = sql.raw('\'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\'')
const BATCH = 100

/** Now, and so many months ago, to the microsecond as `readProof` gives instants. */
export async function findTerm(tx: Tx, months: number): Promise<{ now: string, before: string }> {
  const text = (at: SQL) => sql<string>`to_char(${at} at time zone 'UTC', ${MICROSECONDS})`
  const [row] = await tx.select({ now: text(sql`now()`), before: text(sql`(now() - make_interval(months => ${months}::int))`) }).from(sql`(select) as one`)
  return row!
}

/** Closed versions of a clinic whose log begins with a row of more than so many months, in batches by id. */
export async function listOverTerm(db: Db, { clinic_id, months, after }: { clinic_id: string, months: number, after: string }): Promise<string[]> {
  const oldest = sql`(select l.at from ${budgetAccessLog} l where l.budget_id = ${budget.id} order by l.seq limit 1)`
  const rows = await db.select({ id: budget.id }).from(budget)
    .where(and(eq(budget.clinic_id, clinic_id), inArray(budget.status, CLOSED), gt(budget.id, after), sql`${oldest} < now() - make_interval(months => ${months}::int)`))
    .orderBy(asc(budget.id)).limit(BATCH)
  return rows.map(({ id }) => id)
}

export const isClosed = (status: Status): boolean => CLOSED.includes(status)

/** Takes the place of an older one. */
export async function saveCheckpoint(tx: Tx | Db, { from_at, to_at, made_at, ...row }: CheckpointRow): Promise<void> {
  const instant = (text: string) => sql`${text}::text::timestamptz`
  const values = { ...row, from_at: instant(from_at), to_at: instant(to_at), made_at: instant(made_at) }
  await tx.insert(budgetLogCheckpoint).values(values as never).onConflictDoUpdate({ target: budgetLogCheckpoint.budget_id, set: values })
}

/** The rows that a checkpoint stands for. */
export async function removeLogRows(tx: Tx, budget_id: string, upTo: number): Promise<void> {
  await tx.delete(budgetAccessLog).where(and(eq(budgetAccessLog.budget_id, budget_id), lte(budgetAccessLog.seq, upTo)))
}
