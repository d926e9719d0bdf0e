import type { Ctx } from '@svc/kit'
import type { DecisionRecord } from '../../../shared/evidence.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import type { SignatureRow } from '../../db/signatures.ts'

/** The signature record without what is only ours: ids of clinic and staff, and what has a file of its own. */
export async function decisionRecord(ctx: Ctx, { budget, signature }: { budget: BudgetRow, signature: SignatureRow }): Promise<DecisionRecord> {
  const { id, signer_name, relationship, method, consent_version, content_digest, ip, user_agent, witness_id, decided_at, time_zone, locale } = signature
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
    content_digest,
    document_sha256: budget.signed_pdf_sha256!,
    ip,
    user_agent,
    witness: witness_id && ((await ctx.users.names([witness_id])).get(witness_id) ?? null),
    decided_at: decided_at.toISOString(),
    time_zone,
    locale
  }
}
