import type { Ctx } from '@svc/kit'
import type { DecisionRecord } from '@svc/evidence-page/types.ts'
import type { BudgetRow } from '../../../db/budgets.ts'
import type { Proof } from '../../../db/proof.ts'
import type { SignatureRow } from '../../../db/signatures.ts'
import { knownTo } from '../../decision/known-to.ts'

/** The signature record without internal fields: ids of clinic and staff, and parts that have a file of their own. */
export async function decisionRecord(
  ctx: Ctx,
  { budget, signature, proof }: { budget: BudgetRow, signature: SignatureRow, proof: Proof }
): Promise<DecisionRecord> {
  const {
    id,
    signer_name,
    relationship,
    method,
    consent_version,
    consent_text,
    content_digest,
    ip,
    user_agent,
    witness_id,
    author_id,
    decided_at,
    time_zone,
    locale
  } = signature
  const known_to = knownTo(ctx, proof)?.user_id ?? null
  const names = await ctx.users.names([witness_id, author_id, known_to].filter(id => id !== null))
  const nameOf = (staff: string | null) => staff && (names.get(staff) ?? null)
  return {
    id,
    budget_id: budget.id,
    number: budget.number,
    version: budget.version,
    decision: 'accepted',
    decided_via: budget.decided_via ?? 'remote_link',
    signer_name,
    relationship,
    method,
    image: signature.image && 'signature.png',
    consent_version,
    consent_text,
    content_digest,
    document_sha256: budget.signed_pdf_sha256!,
    ip,
    user_agent,
    witness: nameOf(witness_id),
    decided_at: decided_at.toISOString(),
    time_zone,
    locale,
    patient_id: signature.patient_id,
    author: nameOf(author_id),
    known_to: nameOf(known_to)
  }
}
