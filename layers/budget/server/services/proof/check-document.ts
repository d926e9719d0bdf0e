import { hash } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import type { CheckDocumentAnswer } from '../../../shared/documents.ts'
import { findByFingerprint } from '../../db/documents.ts'
import { findProof, type Proof } from '../../db/proof.ts'
import type { LogFacts } from '../../db/schema.ts'
import { isWithdrawalSealed } from '../log/withdrawal-seal.ts'
import type { PricedContent } from '../log/content.ts'
import { findFile } from '../budget/find-file.ts'
import { findBreak } from '../log/find-break.ts'
import { genuineRows, isCheckpointSealed } from '../log/log-chain.ts'
import { logFacts } from '../log/log-facts.ts'
import { unlessUnreadable } from './verify-budget.ts'
import { verifyContent } from './verify-content.ts'

const NO_MATCH: CheckDocumentAnswer = { match: false, signed_at: null, clinic_name: null }

/**
 * Whether a file with this hash is a signed PDF of this instance. The clinic's name is the one in the file. Rows with
 * the fingerprint prove nothing, since anyone with access to the database can write them: the record must be intact,
 * the log must contain a genuine row with the fingerprint, and the stored file must have it.
 */
export async function checkDocument(ctx: Ctx, { sha256 }: { sha256: string }): Promise<CheckDocumentAnswer> {
  for (const id of await findByFingerprint(ctx.db, sha256)) {
    const proof = await findProof(ctx.db, id)
    const facts = proof && factsOf(ctx, proof)
    if (!facts || !proof.signature || !await isProven(ctx, proof, { facts, sha256 })) continue
    const withdrawn_at = withdrawnAt(ctx, proof, facts)
    if (withdrawn_at === 'unknown') continue
    const content = JSON.parse(proof.signature.content) as PricedContent
    return {
      match: true,
      signed_at: new Date(proof.signature.decided_at).toISOString(),
      clinic_name: content.clinic.name,
      ...withdrawn_at ? { withdrawn_at: withdrawn_at.toISOString() } : {}
    }
  }
  return NO_MATCH
}

/** Other rows of the log may be damaged: each has a MAC of its own, and rows with a valid MAC are genuine. */
function factsOf(ctx: Ctx, proof: Proof): LogFacts {
  const checkpoint = proof.checkpoint && isCheckpointSealed(ctx.secrets, proof.checkpoint) ? proof.checkpoint : null
  return logFacts(checkpoint, genuineRows(ctx.secrets, proof.rows))
}

/**
 * When the acceptance was withdrawn, according to the log: a budget's row alone can neither hide nor invent a
 * withdrawal. Only if rows of the log are missing does the budget's row count.
 */
function withdrawnAt(ctx: Ctx, proof: Proof, { withdrawn }: LogFacts): Date | null | 'unknown' {
  const { budget, rows } = proof
  if (withdrawn === undefined) return findBreak(ctx, proof) ? budget.withdrawn_at : null
  if (isWithdrawalSealed(ctx.secrets, budget, withdrawn)) return budget.withdrawn_at
  const logged = genuineRows(ctx.secrets, rows).find(({ action, success }) => success && action === 'withdrawn')
  return logged ? new Date(logged.at) : 'unknown'
}

async function isProven(
  ctx: Ctx,
  proof: Proof,
  { facts, sha256 }: { facts: LogFacts, sha256: string }
): Promise<boolean> {
  const { budget, signature } = proof
  if (
    signature?.document_sha256 !== sha256
    || budget.signed_pdf_sha256 !== sha256
    || facts.signed_pdf_sha256 !== sha256
  )
    return false
  const faults = await unlessUnreadable(() => verifyContent(ctx, proof, facts))
  // Its current lines are not part of the file.
  if (signature.decision !== 'accepted' || faults.some(({ code }) => code !== 'budget_changed')) return false
  const bytes = budget.signed_pdf_key && (await findFile(ctx, budget.signed_pdf_key))
  return Boolean(bytes) && hash('sha256', bytes as Uint8Array) === sha256
}
