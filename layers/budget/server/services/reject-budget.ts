import type { Client, Ctx } from '@svc/kit'
import type { RejectAnswer, RejectRequest } from '../../shared/public.ts'
import { decide, type Decider } from './decide.ts'
import { queueNotice } from './notify-decision.ts'
import { publishFact } from './publish-fact.ts'

interface Input extends RejectRequest { by: Decider, client: Client, locale: string | undefined }

/** Throws what `decide` throws. */
export async function rejectBudget(ctx: Ctx, { by, client, locale, reason, reason_code = null, signer_name }: Input): Promise<RejectAnswer> {
  const { decided_at } = await decide(ctx, {
    decision: 'rejected',
    by,
    client,
    locale,
    record: budget => ({ signer_name: signer_name ?? `${budget.patient_first_name} ${budget.patient_last_name}`.trim(), reason, reason_code })
  }, async (tx, { budget, signature_id, decided_at }) => {
    const fields = { decided_at: decided_at.toISOString(), decided_via: by.via, signature_id, reason, reason_code }
    await publishFact(ctx, tx, { name: 'budget.rejected', budget, fields })
    await queueNotice(ctx, tx, { budget, by })
  })
  return { status: 'rejected', decided_at: decided_at.toISOString() }
}
