import { isProblem, problem, type Client, type Ctx } from '@svc/kit'
import type { BudgetRow } from '../../../db/budgets.ts'
import { findSignature, type SignatureRow } from '../../../db/signatures.ts'
import { findFile } from '../../budget/find-file.ts'
import { logAccess, type LogEntry } from '../../log/log-access.ts'
import { sha256Of } from './files.ts'
import { makeEvidence } from './make-evidence.ts'

interface Input {
  budget: BudgetRow
  user_id: string
  client: Client
  /**
   * HEAD: the same answer without the file or a log row. A client that announces prefetching gets the file, and is
   * logged.
   */
  no_effect: boolean
}

/**
 * The evidence file for staff. It contains the signed PDF, so it is logged as a download of that. Throws `not_signed`,
 * `signed_pdf_pending` or `fingerprint_mismatch`.
 */
export async function downloadEvidence(ctx: Ctx, input: Input): Promise<Uint8Array> {
  try {
    const bytes = await evidenceOf(ctx, input.budget)
    await log(ctx, input)
    return bytes
  } catch (error) {
    if (isProblem(error)) await log(ctx, input, error.code)
    throw error
  }
}

async function evidenceOf(ctx: Ctx, budget: BudgetRow): Promise<Uint8Array> {
  const signature = await findSignature(ctx.db, budget.id)
  if (!signature) throw problem('not_signed')
  if (signature.evidence_key) return await readHeld(ctx, budget, signature)
  return await makeEvidence(ctx, { budget, signature })
}

/** The patient's data was erased: this file can't be created again, and is the only record of the acceptance. */
async function readHeld(
  ctx: Ctx,
  { id }: BudgetRow,
  { evidence_key, evidence_sha256 }: SignatureRow
): Promise<Uint8Array> {
  const bytes = await findFile(ctx, evidence_key!)
  if (bytes && sha256Of(bytes) === evidence_sha256) return bytes
  ctx.log.error('evidence.mismatch', { budget_id: id, key: evidence_key, missing: bytes === null })
  throw problem('fingerprint_mismatch')
}

async function log(ctx: Ctx, { budget, user_id, client, no_effect }: Input, reason?: string): Promise<void> {
  if (no_effect) return
  const entry: LogEntry = {
    budget_id: budget.id,
    action: 'signed_pdf_download',
    success: !reason,
    actor: 'staff',
    user_id,
    client,
    detail: { as: 'evidence', ...(reason ? { reason } : {}) }
  }
  await ctx.db.transaction(tx => logAccess(ctx, tx, entry))
}
