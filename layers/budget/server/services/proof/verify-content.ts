import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import type { Ctx } from '@svc/kit'
import type { Proof } from '../../db/proof.ts'
import type { LogFacts } from '../../db/schema.ts'
import { contentOf, type PricedContent } from '../log/content.ts'
import { emptiedContent } from '../privacy/emptied-content.ts'
import { isErasureSealed } from '../log/erasure-seal.ts'
import { findFile } from '../budget/find-file.ts'
import { isRecordSealed } from '../log/record-seal.ts'
import { compareWithBackup, type Fault } from './fault.ts'

type Signature = NonNullable<Proof['signature']>

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const fault = (code: string, message: string, fix: string): Fault[] => [{ code, message, fix }]
const COMPARE = compareWithBackup('the record')

/**
 * Verifies that the content still has its digest: in the record of the decision, or, for the acceptance of an erased
 * patient, in the kept file.
 */
export async function verifyContent(
  ctx: Ctx,
  { budget, signature, items }: Proof,
  facts: LogFacts | null
): Promise<Fault[]> {
  if (!signature) {
    const wasDecided = budget.status === 'accepted' || budget.status === 'rejected' || facts?.signature_id !== undefined
    return wasDecided ? fault('signature_missing', 'The record of its decision is gone.', COMPARE) : []
  }
  const faults = isHeld({ budget, signature }) ? await verifyEvidence(ctx, signature) : verifyDigest(signature)
  return [
    ...faults,
    ...(faults.length > 0 ? [] : verifyNow({ budget, signature, items })),
    ...(facts ? verifyTie(ctx, { budget, signature }, facts) : [])
  ]
}

/** A decision by the link needs a correct code: the log has the same session before it. */
export function verifySession(
  { budget, signature }: Pick<Proof, 'budget' | 'signature'>,
  facts: LogFacts | null
): Fault[] {
  if (!signature || budget.decided_via !== 'remote_link' || facts?.opened === undefined || facts.opened.length > 0)
    return []
  return fault(
    'decision_without_code',
    'It was decided by its link in a session that no right code has opened.',
    COMPARE
  )
}

/** Verifies the seal of an erasure by the service. */
export function verifyErasure(ctx: Ctx, { budget, signature }: Proof): Fault[] {
  if (budget.erased_at_exact === null) return []
  const { content_digest = null, evidence_key = null, evidence_sha256 = null } = signature ?? {}
  const erased = {
    budget_id: budget.id,
    erased_at: budget.erased_at_exact,
    content_digest,
    evidence_key,
    evidence_sha256
  }
  if (isErasureSealed(ctx.secrets, erased, budget.erased_seal)) return []
  return fault(
    'erasure_not_sealed',
    'It was emptied, or what is held of it was changed, directly in the database.',
    COMPARE
  )
}

/** Whether the acceptance of an erased patient, which the law requires to be kept, is in one file. */
export const isHeld = ({ budget, signature }: Pick<Proof, 'budget' | 'signature'>): boolean =>
  budget.erased_at !== null && signature?.decision === 'accepted'

function verifyDigest({ content, content_digest }: Signature): Fault[] {
  if (sha256(content) === content_digest) return []
  return fault(
    'content_digest_mismatch',
    `The stored content does not have the digest that was decided on (${content_digest}).`,
    COMPARE
  )
}

async function verifyEvidence(
  ctx: Ctx,
  { content, content_digest, evidence_key, evidence_sha256 }: Signature
): Promise<Fault[]> {
  const bytes = evidence_key === null ? null : await findFile(ctx, evidence_key)
  if (!bytes || sha256(bytes) !== evidence_sha256) {
    return fault(
      'evidence_mismatch',
      `The held evidence file ${evidence_key} is missing or is not the one that was stored (${evidence_sha256}).`,
      'Restore the file from a backup of storage/documents, or of the bucket.'
    )
  }
  const held = unzipSync(bytes, { filter: ({ name }) => name === 'content.json' })['content.json']
  if (!held || sha256(held) !== content_digest) {
    return fault(
      'content_digest_mismatch',
      `The content in the held evidence file does not have the digest that was decided on (${content_digest}).`,
      COMPARE
    )
  }
  if (emptiedContent(new TextDecoder().decode(held)) === content) return []
  return fault(
    'content_digest_mismatch',
    'The stored content is not that of the held evidence file without the person.',
    COMPARE
  )
}

/**
 * Verifies that the rows, which staff see and invoices use, match the decision; for an erased patient, without the
 * person.
 */
function verifyNow({ budget, signature, items }: Pick<Proof, 'budget' | 'items'> & { signature: Signature }): Fault[] {
  const then = JSON.parse(signature.content) as PricedContent
  if (holds(then, contentOf(budget, items, then.clinic.name))) return []
  return fault(
    'budget_changed',
    'Its lines, prices or texts are not the ones that were decided on.',
    compareWithBackup('the budget')
  )
}

/** True if `now` has all of `then`; a later release may add more. */
export function holds(then: unknown, now: unknown): boolean {
  if (typeof then !== 'object' || then === null || typeof now !== 'object' || now === null) return then === now
  if (Array.isArray(then) && then.length !== (now as unknown[]).length) return false
  return Object.entries(then).every(([name, member]) => holds(member, (now as Record<string, unknown>)[name]))
}

/** The log, whose rows cannot be forged, must match the record, its digest and all its fields. */
function verifyTie(
  ctx: Ctx,
  { budget, signature }: { budget: Proof['budget'], signature: Signature },
  facts: LogFacts
): Fault[] {
  const { id, content_digest, decision } = signature
  if (facts.signature_id === undefined)
    return fault(
      'signature_changed',
      'There is a record of its decision, and the access log knows nothing of it.',
      COMPARE
    )
  if (facts.signature_id !== id || (facts.content_digest ?? content_digest) !== content_digest) {
    return fault(
      'signature_changed',
      `The record of its decision is not the one that the access log names (${facts.signature_id}, digest ${facts.content_digest}).`,
      COMPARE
    )
  }
  const isDecision
    = (facts.decision ?? decision) === decision
      && decisionOf(budget.status) === decision
      && budget.decided_at_exact === signature.decided_at
  const isOwners
    = signature.clinic_id === budget.clinic_id
      && (signature.patient_id === null
        || (signature.patient_id === budget.patient_id && signature.author_id === budget.created_by))
  if (isDecision && isOwners && (isSealed(ctx, { budget, signature }, facts) || budget.erased_at !== null)) return []
  return fault('signature_changed', 'The record of its decision, or its state, is not as it was written.', COMPARE)
}

/** A rejected version can be superseded by a newer one. */
const decisionOf = (status: Proof['budget']['status']) => status === 'superseded' ? 'rejected' : status

/** Earlier releases logged decisions without a seal. */
const isSealed = (
  ctx: Ctx,
  { budget: { decided_via }, signature }: { budget: Proof['budget'], signature: Signature },
  { record }: LogFacts
) => record === undefined || isRecordSealed(ctx.secrets, { ...signature, decided_via }, record)
