import { problem, type Client, type Ctx } from '@svc/kit'
import { lockHead } from '../../db/access-log.ts'
import { countDownloads, type RecentDownloads, type SignedPdfRow } from '../../db/documents.ts'
import { DOWNLOAD_LIMIT } from '../../../shared/domain/download-limit.ts'
import { readSignedPdf } from '../budget/read-signed-pdf.ts'
import { logAccess, tryLogAccess, type LogEntry } from '../log/log-access.ts'

interface Input {
  budget: SignedPdfRow
  /** When `budget` was read, by the database's clock. */
  now: Date
  /** The patient's downloads, read with `budget`; staff's don't count. */
  downloads: RecentDownloads | null
  by: { actor: 'patient' } | { actor: 'staff', user_id: string }
  client: Client
  /**
   * HEAD: the same answer without the file or a log row. A client that announces prefetching gets the file, and is
   * logged.
   */
  no_effect: boolean
}

/** `remaining` downloads within the next `reset` seconds. */
export interface SignedPdf { bytes: Uint8Array, sha256: string, remaining: number, reset: number }

/**
 * The stored bytes, verified with the fingerprint; nothing is drawn here. Each download is a log row, and the limit
 * counts these rows: exactly the answers with the file, over all instances. Throws `not_signed`, `signed_pdf_pending`,
 * `fingerprint_mismatch` or `too_many_requests`.
 */
export async function downloadSignedPdf(ctx: Ctx, input: Input): Promise<SignedPdf> {
  const { budget } = input
  if (budget.signed_pdf_status === 'none') return await refuse(ctx, input, 'not_signed')
  if (budget.signed_pdf_status === 'pending') return await refuse(ctx, input, 'signed_pdf_pending', { retry_after: 2 })
  const bytes = await readSignedPdf(ctx, budget)
  if (!bytes) return await refuse(ctx, input, 'fingerprint_mismatch')
  const { allowed, remaining, reset } = await claim(ctx, input)
  if (!allowed) throw problem('too_many_requests', { retry_after: reset, limit: DOWNLOAD_LIMIT })
  return { bytes, sha256: budget.signed_pdf_sha256!, remaining, reset }
}

interface Claim { allowed: boolean, remaining: number, reset: number }

/**
 * Counts and logs without a lock: the row is appended only at the end of the log that was read with the count, so that
 * of parallel downloads one succeeds, and the others wait for the lock. Exactly as many pass as the limit allows.
 */
async function claim(ctx: Ctx, input: Input): Promise<Claim> {
  const { budget, now, no_effect } = input
  const decided = decideDownload(input)
  if (no_effect || await tryLogAccess(ctx, decided.entry, { ...budget, now })) return decided
  return await ctx.localTransaction(async (tx) => {
    const head = await lockHead(tx, budget.id)
    const decided = decideDownload({ ...input, downloads: input.downloads && await countDownloads(tx, budget.id) })
    if (head) await logAccess(ctx, tx, decided.entry, head)
    return decided
  })
}

function decideDownload(input: Input): Claim & { entry: LogEntry } {
  const { count, reset } = input.downloads ?? { count: 0, reset: DOWNLOAD_LIMIT.seconds }
  const allowed = count < DOWNLOAD_LIMIT.points
  const taken = allowed && !input.no_effect ? 1 : 0
  return {
    allowed,
    remaining: Math.max(0, DOWNLOAD_LIMIT.points - count - taken),
    reset,
    entry: entryOf(input, allowed ? undefined : 'too_many_requests')
  }
}

async function refuse(ctx: Ctx, input: Input, code: string, fields: { retry_after?: number } = {}): Promise<never> {
  if (!input.no_effect) await ctx.localTransaction(tx => logAccess(ctx, tx, entryOf(input, code)))
  throw problem(code, fields)
}

const entryOf = ({ budget, by, client }: Input, reason?: string): LogEntry => ({
  budget_id: budget.id,
  action: 'signed_pdf_download',
  success: !reason,
  client,
  ...by,
  ...(reason ? { detail: { reason } } : {})
})
