import { asc, count, desc, eq, gt, inArray, sql } from 'drizzle-orm'
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

export interface Chain { budget: { id: string, number: string, version: number, sent_at: Date | null } & ChainHead, rows: ChainRow[] }
/** As stored, with the instant to the microsecond, so that no change of it goes unseen. */
export type ChainRow = Omit<LogRow, 'at'> & { at: string }

const BATCH = 200
const HEAD = { id: budget.id, number: budget.number, version: budget.version, sent_at: budget.sent_at, log_count: budget.log_count, log_hash: budget.log_hash, log_seal: budget.log_seal }

/** Every budget's chain, in batches. */
export async function* chains(db: Db): AsyncGenerator<Chain> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const budgets = await db
      .select(HEAD)
      .from(budget).where(gt(budget.id, after)).orderBy(asc(budget.id)).limit(BATCH)
    if (budgets.length === 0) return
    const rows = await chainRows(db, budgets.map(row => row.id))
    for (const row of budgets) yield { budget: row, rows: rows.get(row.id) ?? [] }
    after = budgets.at(-1)!.id
  }
}

/** One budget's chain, as of one instant: a row that is appended meanwhile is in neither half, or in both. */
export async function chainOf(db: Db, budget_id: string): Promise<Chain> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.select(HEAD).from(budget).where(eq(budget.id, budget_id)).for('share')
    if (!row) throw new Error(`there is no budget ${budget_id}`)
    return { budget: row, rows: (await chainRows(tx, [budget_id])).get(budget_id) ?? [] }
  })
}

async function chainRows(db: Db | Tx, budget_ids: string[]): Promise<Map<string, ChainRow[]>> {
  const at = sql<string>`to_char(${budgetAccessLog.at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  const rows = await db
    .select({
      id: budgetAccessLog.id, budget_id: budgetAccessLog.budget_id, clinic_id: budgetAccessLog.clinic_id, seq: budgetAccessLog.seq, at,
      action: budgetAccessLog.action, success: budgetAccessLog.success, actor: budgetAccessLog.actor, user_id: budgetAccessLog.user_id,
      ip_hash: budgetAccessLog.ip_hash, user_agent: budgetAccessLog.user_agent, detail: budgetAccessLog.detail,
      prev_hash: budgetAccessLog.prev_hash, hash: budgetAccessLog.hash
    })
    .from(budgetAccessLog).where(inArray(budgetAccessLog.budget_id, budget_ids)).orderBy(asc(budgetAccessLog.budget_id), asc(budgetAccessLog.seq))
  return Map.groupBy(rows, row => row.budget_id)
}
