import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budget } from './schema.ts'

const { words, ...columns } = getTableColumns(budget)
/** All columns except those that only a search uses. */
export const budgetColumns = columns
export type BudgetRow = Omit<typeof budget.$inferSelect, 'words'>
export type NewBudget = typeof budget.$inferInsert

const {
  internal_notes,
  created_at,
  closed_at,
  closed_reason,
  withdrawn_by,
  withdrawal_requested_by,
  withdrawal_reason,
  withdrawn_invoiced,
  withdrawn_paid,
  superseded_by_id,
  signed_pdf_key,
  signed_pdf_at,
  log_count,
  log_hash,
  log_seal,
  erased_seal,
  clause_ids,
  edit,
  ...shown
} = columns
/** The columns that a patient sees, and those that verify them: each column makes every reading slower. */
export const shownColumns = shown
export type ShownBudget = Pick<BudgetRow, keyof typeof shownColumns>

export interface BudgetKey { clinic_id: string, id: string }

export async function findBudget(db: Db | Tx, { clinic_id, id }: BudgetKey): Promise<BudgetRow | null> {
  const [row] = await db
    .select(budgetColumns)
    .from(budget)
    .where(and(eq(budget.clinic_id, clinic_id), eq(budget.id, id)))
  return row ?? null
}

export async function hasBudgets(db: Db | Tx, clinic_id: string): Promise<boolean> {
  const rows = await db.select({ id: budget.id }).from(budget).where(eq(budget.clinic_id, clinic_id)).limit(1)
  return rows.length > 0
}

export async function insertBudget(tx: Tx, values: NewBudget): Promise<BudgetRow> {
  const [row] = await tx.insert(budget).values(values).returning(budgetColumns)
  return row!
}

/** Also updates `updated_at`. Callers that change the content of a draft increase `edit` too. */
export async function updateBudget(tx: Tx | Db, id: string, values: Partial<NewBudget>): Promise<BudgetRow> {
  const [row] = await tx
    .update(budget)
    .set({ ...values, updated_at: sql`now()` })
    .where(eq(budget.id, id))
    .returning(budgetColumns)
  return row!
}

/** Deletes its lines and link too. The database refuses anything but a draft. */
export async function removeBudget(tx: Tx | Db, id: string): Promise<void> {
  await tx.delete(budget).where(eq(budget.id, id))
}

const ofNumber = ({ clinic_id, number }: { clinic_id: string, number: string }) =>
  and(eq(budget.clinic_id, clinic_id), eq(budget.number, number))

/** All versions of a number, first version first. */
export async function listVersions(db: Db | Tx, key: { clinic_id: string, number: string }): Promise<BudgetRow[]> {
  return await db.select(budgetColumns).from(budget).where(ofNumber(key)).orderBy(asc(budget.version))
}

/**
 * Like `listVersions`, locked in that order, so that two revisions or sendings of one number run one after the other.
 * Reads again once the locks are held: a version added while waiting is not in the first statement's snapshot.
 */
export async function lockVersions(tx: Tx, key: { clinic_id: string, number: string }): Promise<BudgetRow[]> {
  await tx.select({ id: budget.id }).from(budget).where(ofNumber(key)).orderBy(asc(budget.version)).for('update')
  return await listVersions(tx, key)
}

/** Null: those that are on by default. */
export async function findClauseIds(tx: Tx, id: string): Promise<string[] | null> {
  const [row] = await tx.select({ clause_ids: budget.clause_ids }).from(budget).where(eq(budget.id, id))
  return row?.clause_ids ?? null
}
