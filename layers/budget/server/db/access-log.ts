import { count, desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { nowMs } from './links.ts'
import { budget, budgetAccessLog } from './schema.ts'

export type LogRow = typeof budgetAccessLog.$inferSelect
export type NewLogRow = typeof budgetAccessLog.$inferInsert
/** Where a budget's chain ends, as the budget's own row says. */
export interface ChainHead { log_count: number, log_hash: Buffer | null, log_seal: Buffer | null }

/** Locks the budget's row: whoever appends to one chain does so one after the other. Null when there is no such budget. */
export async function lockHead(tx: Tx, budget_id: string): Promise<(ChainHead & { clinic_id: string, now: Date }) | null> {
  const [row] = await tx
    .select({ clinic_id: budget.clinic_id, log_count: budget.log_count, log_hash: budget.log_hash, log_seal: budget.log_seal, ms: nowMs })
    .from(budget).where(eq(budget.id, budget_id)).for('update')
  return row ? { ...row, now: new Date(row.ms) } : null
}

export async function appendLogRow(tx: Tx, row: NewLogRow, log_seal: Buffer): Promise<void> {
  await tx.insert(budgetAccessLog).values(row)
  await tx.update(budget).set({ log_count: row.seq, log_hash: row.hash, log_seal }).where(eq(budget.id, row.budget_id))
}

/** Newest first. */
export async function listLogRows(db: Db, { budget_id, page, page_size }: { budget_id: string, page: number, page_size: number }): Promise<{ rows: LogRow[], total: number }> {
  const rows = await db.select().from(budgetAccessLog).where(eq(budgetAccessLog.budget_id, budget_id))
    .orderBy(desc(budgetAccessLog.seq)).limit(page_size).offset((page - 1) * page_size)
  const [all] = await db.select({ total: count() }).from(budgetAccessLog).where(eq(budgetAccessLog.budget_id, budget_id))
  return { rows, total: all!.total }
}
