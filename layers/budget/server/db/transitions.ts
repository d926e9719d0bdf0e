import { and, count, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetColumns, type BudgetRow } from './budgets.ts'
import { nowMs } from './links.ts'
import { budget } from './schema.ts'

/**
 * The locked row, and the transaction's instant, which decides whether it is still valid. All changes lock the budget's
 * row first, so that parallel changes see each other's results.
 */
export async function lockWithTime(tx: Tx, budget_id: string): Promise<{ budget: BudgetRow, now: Date } | null> {
  const [row] = await tx
    .select({ budget: budgetColumns, ms: nowMs })
    .from(budget)
    .where(eq(budget.id, budget_id))
    .for('update')
  return row ? { budget: row.budget, now: new Date(row.ms) } : null
}

export async function markSent(
  tx: Tx,
  budget_id: string,
  fields: Pick<
    BudgetRow,
    | 'valid_until'
    | 'expires_at'
    | 'patient_first_name'
    | 'patient_last_name'
    | 'deciduous'
    | 'clinic_name'
    | 'tooth_notation'
    | 'sent_seal'
  >
): Promise<void> {
  await tx
    .update(budget)
    .set({ ...fields, status: 'sent', sent_at: sql`now()`, updated_at: sql`now()` })
    .where(and(eq(budget.id, budget_id), eq(budget.status, 'draft')))
}

/** False if another decision was first, however many run at once. */
export async function markViewed(tx: Tx, budget_id: string, now: Date): Promise<boolean> {
  const rows = await tx
    .update(budget)
    .set({ viewed_at: now })
    .where(and(eq(budget.id, budget_id), isNull(budget.viewed_at)))
    .returning({ id: budget.id })
  return rows.length > 0
}

export interface DecisionStamp {
  budget_id: string
  status: 'accepted' | 'rejected'
  via: 'remote_link' | 'in_clinic'
  now: Date
  /** The selection and its totals; empty if there was nothing to choose. */
  columns?: Partial<Pick<BudgetRow, 'selection' | 'original_total' | 'total' | 'tax_total'>>
}

/** An acceptance also orders the signed PDF. The row is locked, and the condition on its state is a second guard. */
export async function markDecided(tx: Tx, { budget_id, status, via, now, columns }: DecisionStamp): Promise<void> {
  const rows = await tx
    .update(budget)
    .set({
      ...columns,
      status,
      decided_at: now,
      decided_via: via,
      updated_at: now,
      ...(status === 'accepted' ? { signed_pdf_status: 'pending' as const } : {})
    })
    .where(and(eq(budget.id, budget_id), eq(budget.status, 'sent')))
    .returning({ id: budget.id })
  if (rows.length !== 1) throw new Error(`budget ${budget_id} was decided without its lock`)
}

export async function markSuperseded(tx: Tx, budget_id: string, { by, now }: { by: string, now: Date }): Promise<void> {
  await tx
    .update(budget)
    .set({ status: 'superseded', superseded_by_id: by, closed_at: now, closed_reason: 'superseded', updated_at: now })
    .where(eq(budget.id, budget_id))
}

const BATCH = 100

/** One batch of sent versions that have expired. Rows locked by a decision are left to the next run. */
export async function expireBatch(tx: Tx): Promise<BudgetRow[]> {
  const due = tx.select({ id: budget.id }).from(budget)
    .where(and(eq(budget.status, 'sent'), sql`${budget.expires_at} <= now()`))
    .orderBy(budget.expires_at).limit(BATCH).for('update', { skipLocked: true })
  return await tx.update(budget)
    .set({ status: 'expired', closed_at: sql`${budget.expires_at}`, closed_reason: 'validity', updated_at: sql`now()` })
    .where(sql`${budget.id} in (${due})`)
    .returning(budgetColumns)
}

/** Accepted versions whose signed PDF has been missing for longer than this. */
export async function overduePdfs(
  db: Db,
  minutes: number
): Promise<Pick<BudgetRow, 'id' | 'number' | 'version' | 'decided_at'>[]> {
  return await db
    .select({ id: budget.id, number: budget.number, version: budget.version, decided_at: budget.decided_at })
    .from(budget)
    .where(
      and(
        eq(budget.signed_pdf_status, 'pending'),
        sql`${budget.decided_at} < now() - make_interval(mins => ${minutes})`
      )
    )
    .orderBy(budget.decided_at)
    .limit(100)
}

/** The number of accepted budgets that wait for their signed PDF, and how many seconds the first has waited. */
export async function pendingPdfs(db: Db): Promise<{ count: number, oldest_seconds: number }> {
  const [row] = await db
    .select({
      count: count(),
      oldest_seconds: sql<number>`coalesce(extract(epoch from now() - min(${budget.decided_at})), 0)::float8`
    })
    .from(budget)
    .where(eq(budget.signed_pdf_status, 'pending'))
  return row!
}
