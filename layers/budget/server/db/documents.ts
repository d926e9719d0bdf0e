import { and, count, eq, sql, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { DOWNLOAD_LIMIT } from '../../shared/domain/download-limit.ts'
import { budgetColumns, type BudgetRow } from './budgets.ts'
import {
  nowMs,
  ofToken,
  openSession,
  sealedLinkColumns,
  sessionColumns,
  withNow,
  toParameters,
  type LinkHashes,
  type LinkRow,
  type OpenSession
} from './links.ts'
import { prepared } from './prepared.ts'
import { budget, budgetAccessLog, budgetLink, budgetSession, budgetSignature } from './schema.ts'
import type { SignatureRow } from './signatures.ts'

/** An accepted version with its record; null if there is none. */
export async function findAccepted(
  db: Db | Tx,
  budget_id: string
): Promise<{ budget: BudgetRow, signature: SignatureRow } | null> {
  const [row] = await db
    .select({ budget: budgetColumns, signature: budgetSignature })
    .from(budget)
    .innerJoin(budgetSignature, and(eq(budgetSignature.budget_id, budget.id), eq(budgetSignature.decision, 'accepted')))
    .where(eq(budget.id, budget_id))
  return row ?? null
}

/**
 * False if another run was first: the row decides whose bytes count. The record gets the fingerprint in the same
 * statement.
 */
export async function markReady(
  tx: Tx,
  { budget_id, key, sha256 }: { budget_id: string, key: string, sha256: string }
): Promise<boolean> {
  const rows = await tx
    .update(budget)
    .set({
      signed_pdf_status: 'ready',
      signed_pdf_key: key,
      signed_pdf_sha256: sha256,
      signed_pdf_at: sql`now()`,
      updated_at: sql`now()`
    })
    .where(and(eq(budget.id, budget_id), eq(budget.signed_pdf_status, 'pending')))
    .returning({ id: budget.id })
  if (rows.length === 0) return false
  await tx.update(budgetSignature).set({ document_sha256: sha256 }).where(eq(budgetSignature.budget_id, budget_id))
  return true
}

/** Someone may have written the fingerprint directly into the row of another version. */
const MAX_WITH_FINGERPRINT = 10

/** Versions whose row has this fingerprint, in the order of their decisions. */
export async function findByFingerprint(db: Db, sha256: string): Promise<string[]> {
  const rows = await db.select({ id: budget.id }).from(budget).where(eq(budget.signed_pdf_sha256, sha256))
    .orderBy(budget.decided_at).limit(MAX_WITH_FINGERPRINT)
  return rows.map(({ id }) => id)
}

/** Rows of the last minute about one budget's signed PDF that was refused because there was no session. */
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

/** Downloads within the window, and the seconds until the first of them leaves it. */
export interface RecentDownloads { count: number, reset: number }

const signedPdfColumns = {
  id: budget.id,
  clinic_id: budget.clinic_id,
  number: budget.number,
  version: budget.version,
  signed_pdf_status: budget.signed_pdf_status,
  signed_pdf_key: budget.signed_pdf_key,
  signed_pdf_sha256: budget.signed_pdf_sha256,
  log_count: budget.log_count,
  log_hash: budget.log_hash,
  log_seal: budget.log_seal
}
/** The columns about a budget's signed PDF, if it has one, and the end of its log. */
export type SignedPdfRow = Pick<BudgetRow, keyof typeof signedPdfColumns>

/** Like `FoundLink`, for a request for the signed copy. */
export interface FoundSignedPdf {
  link: Pick<LinkRow, keyof typeof sealedLinkColumns>
  budget: SignedPdfRow
  session: OpenSession | null
  downloads: RecentDownloads
  now: Date
}

/** One statement, which does the same work whether the link exists or not. */
export async function findSignedPdf(db: Db, hashes: LinkHashes): Promise<FoundSignedPdf | null> {
  const [row] = await signedPdfByToken(db, hashes.token_hashes.length).execute(toParameters(hashes))
  return row ? withNow(row) : null
}

const signedPdfByToken = prepared((db, candidates) =>
  db
    .select({
      link: sealedLinkColumns,
      budget: signedPdfColumns,
      session: sessionColumns,
      downloads: recentDownloads(sql`${budgetLink.budget_id}`),
      ms: nowMs
    })
    .from(budgetLink)
    .innerJoin(budget, eq(budget.id, budgetLink.budget_id))
    .leftJoin(budgetSession, openSession(candidates))
    .where(ofToken(candidates))
    .prepare('budget_signed_pdf_by_token')
)

/** A separate count, under the budget's lock. */
export async function countDownloads(db: Db | Tx, budget_id: string): Promise<RecentDownloads> {
  const [row] = await db.execute<{ recent: RecentDownloads }>(sql`select ${recentDownloads(sql`${budget_id}::uuid`)} as recent`)
  return row!.recent
}

/** How often the patient has downloaded the signed PDF within the limit's window. */
function recentDownloads(budget_id: SQL) {
  const { seconds: SECONDS } = DOWNLOAD_LIMIT
  const seconds = sql.raw(String(SECONDS)) // not a parameter, because its value is part of the plan
  return sql<RecentDownloads>`(
    select json_build_object('count', count(*), 'reset', greatest(1, coalesce(ceil(extract(epoch from min(at) - now()) + ${seconds}), ${seconds})))
    from ${budgetAccessLog} as download
    where download.budget_id = ${budget_id} and action = 'signed_pdf_download' and actor = 'patient' and success and at > now() - make_interval(secs => ${seconds}))`
}
