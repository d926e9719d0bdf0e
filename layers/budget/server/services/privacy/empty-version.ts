import { createHash } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import { updateBudget, type BudgetRow } from '../../db/budgets.ts'
import { saveCheckpoint } from '../../db/checkpoints.ts'
import { emptySignature, exactNow, forgetLink, markErased, saveDetail } from '../../db/erasure.ts'
import { findProof } from '../../db/proof.ts'
import { findSignature, type SignatureRow } from '../../db/signatures.ts'
import { emptiedContent, withoutDescriptions, withoutWording } from './emptied-content.ts'
import { erasureSeal } from '../log/erasure-seal.ts'
import { checkpointSeal, isCheckpointSealed, withoutTexts } from '../log/log-chain.ts'
import { publishFact } from '../budget/publish-fact.ts'

/** Stores the file that proves an acceptance without its rows; with `dry_run` it only returns key and digest. */
export type HoldEvidence = (
  ctx: Ctx,
  acceptance: { budget: BudgetRow, signature: SignatureRow, dry_run: boolean }
) => Promise<{ evidence_key: string, evidence_sha256: string }>

export interface EraseMode { dry_run: boolean, holdEvidence: HoldEvidence }

export interface EmptiedVersion {
  budget: BudgetRow
  cancelled: number
  versions: number
  texts: number
  links: number
  sessions: number
  /** The kept files, as keys of `ctx.files`. */
  files: { what: string, file: string }[]
}

/** Empties one version that isn't a draft; its row is locked. A version that was already emptied is only checked. */
export async function emptyVersion(ctx: Ctx, budget: BudgetRow, how: EraseMode): Promise<EmptiedVersion> {
  const isOpen = budget.status === 'sent'
  if (isOpen) await cancel(ctx, budget)
  const record = await findSignature(ctx.db, budget.id)
  const kept = budget.erased_at === null ? await emptyRows(ctx, { budget, record, ...how }) : record
  return {
    budget,
    cancelled: isOpen ? 1 : 0,
    versions: budget.erased_at === null ? 1 : 0,
    texts: await emptyLog(ctx, budget.id, record?.decision === 'rejected'),
    ...await forgetLink(ctx.db, budget.id),
    files: [
      ...budget.signed_pdf_key ? [{ what: 'signed PDF', file: budget.signed_pdf_key }] : [],
      ...kept?.evidence_key ? [{ what: 'evidence of the acceptance', file: kept.evidence_key }] : []
    ]
  }
}

const ERASED = 'patient_erased'

/** Without the patient it cannot be decided. The reason is a code, without anyone's words. */
async function cancel(ctx: Ctx, budget: BudgetRow): Promise<void> {
  await updateBudget(ctx.db, budget.id, {
    status: 'cancelled',
    closed_at: await ctx.clock.now(ctx.db),
    closed_reason: ERASED
  })
  await publishFact(ctx, ctx.db, { name: 'budget.cancelled', budget, fields: { reason: ERASED, cancelled_by: null } })
}

interface Order extends EraseMode { budget: BudgetRow, record: SignatureRow | null }
type RemainingProof = Pick<SignatureRow, 'content' | 'content_digest' | 'evidence_key' | 'evidence_sha256'>

/** Makes the proof from the rows, and then empties them. The seal proves that the service did it. */
async function emptyRows(ctx: Ctx, { budget, record, ...how }: Order): Promise<RemainingProof | null> {
  const kept = record && await planKept(ctx, { budget, record, ...how })
  if (record && kept) await emptySignature(ctx.db, record.id, kept)
  const { content_digest = null, evidence_key = null, evidence_sha256 = null } = kept ?? {}
  const erased_seal = erasureSeal(ctx.secrets, {
    budget_id: budget.id,
    erased_at: await exactNow(ctx.db),
    content_digest,
    evidence_key,
    evidence_sha256
  })
  await markErased(ctx.db, budget.id, {
    erased_seal,
    closed_reason: codeOf(budget),
    choices: budget.choices && withoutDescriptions(budget.choices),
    clauses: budget.clauses && withoutWording(budget.clauses)
  })
  return kept
}

/**
 * An acceptance keeps its digest, which is also in the held file, the signed PDF and the event. A rejection needs no
 * proof, and its digest would confirm a guessed name, so it is replaced by the digest of what remains.
 */
async function planKept(
  ctx: Ctx,
  { budget, record, dry_run, holdEvidence }: EraseMode & { budget: BudgetRow, record: SignatureRow }
): Promise<RemainingProof> {
  const content = emptiedContent(record.content)
  if (record.decision === 'rejected')
    return {
      content,
      content_digest: createHash('sha256').update(content).digest('hex'),
      evidence_key: null,
      evidence_sha256: null
    }
  return {
    content,
    content_digest: record.content_digest,
    ...(await holdEvidence(ctx, { budget, signature: record, dry_run }))
  }
}

/** Text by staff is removed; our own codes stay. */
function codeOf({ status, closed_reason }: BudgetRow): string | null {
  if (status === 'sent') return ERASED
  return closed_reason === 'validity' || closed_reason === 'superseded' || closed_reason === ERASED
    ? closed_reason
    : null
}

/**
 * The chain contains digests of the texts, so that it stays valid. The digest of a rejection is also removed from the
 * checkpoint.
 */
async function emptyLog(ctx: Ctx, budget_id: string, isRejected: boolean): Promise<number> {
  const { rows = [], checkpoint = null } = await findProof(ctx.db, budget_id) ?? {}
  const told = rows.filter(({ detail }) => JSON.stringify(withoutTexts(detail)) !== JSON.stringify(detail))
  for (const { id, detail } of told) await saveDetail(ctx.db, id, withoutTexts(detail))
  if (checkpoint && isRejected && checkpoint.facts.content_digest) {
    const { content_digest: _digest, ...facts } = checkpoint.facts
    // A forged checkpoint does not get a valid seal.
    const seal = isCheckpointSealed(ctx.secrets, checkpoint)
      ? checkpointSeal(ctx.secrets, { ...checkpoint, facts })
      : checkpoint.seal
    await saveCheckpoint(ctx.db, { ...checkpoint, facts, seal })
  }
  return told.length
}
