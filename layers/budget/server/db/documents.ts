import { and, count, eq, sql, type SQLWrapper } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetColumns, type BudgetRow } from './budgets.ts'
import { budget, budgetAccessLog, budgetSignature } from './schema.ts'
import type { SignatureRow } from './signatures.ts'

/** An accepted version with its record; null when there is none. */
export async function findAccepted(db: Db | Tx, budget_id: string): Promise<{ budget: BudgetRow, signature: SignatureRow } | null> {
  const [row] = await db.select({ budget: budgetColumns, signature: budgetSignature }).from(budget)
    .innerJoin(budgetSignature, and(eq(budgetSignature.budget_id, budget.id), eq(budgetSignature.decision, 'accepted')))
    .where(eq(budget.id, budget_id))
  return row ?? null
}

/** False when another run was first: the row decides whose bytes count. The record gets the fingerprint with it. */
export async function markReady(tx: Tx, { budget_id, key, sha256 }: { budget_id: string, key: string, sha256: string }): Promise<boolean> {
  const rows = await tx.update(budget)
    .set({ signed_pdf_status: 'ready', signed_pdf_key: key, signed_pdf_sha256: sha256, signed_pdf_at: sql`now()`, updated_at: sql`now()` })
    .where(and(eq(budget.id, budget_id), eq(budget.signed_pdf_status, 'pending')))
    .returning({ id: budget.id })
  if (rows.length === 0) return false
  await tx.update(budgetSignature).set({ document_sha256: sha256 }).where(eq(budgetSignature.budget_id, budget_id))
  return true
}

export async function findByFingerprint(db: Db, sha256: string): Promise<Pick<SignatureRow, 'decided_at' | 'content'> | null> {
  const [row] = await db.select({ decided_at: budgetSignature.decided_at, content: budgetSignature.content }).from(budget)
    .innerJoin(budgetSignature, eq(budgetSignature.budget_id, budget.id))
    .where(eq(budget.signed_pdf_sha256, sha256)).limit(1)
  return row ?? null
}

/** Rows of the last minute about one budget's signed PDF that were refused for want of a session. */
export async function countRefusedDownloads(db: Db | Tx, budget_id: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(budgetAccessLog).where(and(
    eq(budgetAccessLog.budget_id, budget_id),
    eq(budgetAccessLog.action, 'signed_pdf_download'),
    eq(budgetAccessLog.success, false),
    sql`${budgetAccessLog.detail} ->> 'reason' = 'code_required'`,
    sql`${budgetAccessLog.at} > now() - interval '1 minute'`
  ))
  return row!.n
}

/** Downloads of the window, and the seconds until the first of them leaves it. */
export interface RecentDownloads { count: number, reset: number }

/** How often the patient got the signed PDF of the budget within so many seconds, as a column of the budget's row. */
export const recentDownloads = (seconds: SQLWrapper) => sql<RecentDownloads>`(
  select json_build_object('count', count(*), 'reset', greatest(1, coalesce(ceil(extract(epoch from min(at) - now()) + ${seconds}::int), ${seconds}::int)))
  from ${budgetAccessLog}
  where budget_id = ${budget}.id and action = 'signed_pdf_download' and actor = 'patient' and success and at > now() - make_interval(secs => ${seconds}::int))`

/** The same by itself: under the budget's lock. */
export async function countDownloads(db: Db | Tx, budget_id: string, seconds: number): Promise<RecentDownloads> {
  const [row] = await db.select({ recent: recentDownloads(sql`${seconds}`) }).from(budget).where(eq(budget.id, budget_id))
  return row!.recent
}
