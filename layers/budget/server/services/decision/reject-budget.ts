import type { Client, Ctx } from '@svc/kit'
import type { RejectAnswer, RejectRequest } from '../../../shared/public.ts'
import { lockOpenBudget, logUndecided, recordDecision, type Decider } from './decide.ts'
import { queueNotice } from './notify-decision.ts'
import { publishFact } from '../budget/publish-fact.ts'

interface Input extends RejectRequest { by: Decider, client: Client, locale: string | undefined }

/** Throws the problems of `lockOpenBudget` and `recordDecision`. */
export async function rejectBudget(
  ctx: Ctx,
  { by, client, locale, reason: words, reason_code = null, ...input }: Input
): Promise<RejectAnswer> {
  const reason = words ?? null
  const decide = () => ctx.db.transaction(async (tx) => {
    const open = await lockOpenBudget(ctx, tx, by)
    const { patient_first_name, patient_last_name } = open.budget
    const signer_name = input.signer_name ?? `${patient_first_name} ${patient_last_name}`.trim()
    const { budget, signature_id, decided_at } = await recordDecision(ctx, tx, open, {
      decision: 'rejected',
      by,
      client,
      locale,
      signature: { signer_name, reason, reason_code }
    })
    const fields = { decided_at: decided_at.toISOString(), decided_via: by.via, signature_id, reason, reason_code }
    await publishFact(ctx, tx, { name: 'budget.rejected', budget, fields })
    await queueNotice(ctx, tx, { budget, by })
    return decided_at
  })
  const decided_at = await logUndecided(ctx, { by, decision: 'rejected', client }, decide)
  return { status: 'rejected', decided_at: decided_at.toISOString() }
}
