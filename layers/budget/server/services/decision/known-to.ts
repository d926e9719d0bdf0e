import type { Ctx } from '@svc/kit'
import type { Proof } from '../../db/proof.ts'
import type { LogFacts } from '../../db/schema.ts'
import { findBreak } from '../log/find-break.ts'
import { logFacts } from '../log/log-facts.ts'

/**
 * Who knew both link and code when a budget was decided by its link. The budget's page shows the link, so it is the
 * person who set the code. Null if a channel brought the patient a code of their own, for decisions in the clinic,
 * which need neither, and if the log is broken or does not record it.
 */
export function knownTo(ctx: Ctx, proof: Proof | null): NonNullable<LogFacts['code_by']> | null {
  if (!proof || proof.budget.decided_via !== 'remote_link' || findBreak(ctx, proof)) return null
  const { by_channel = [], code_by = null } = logFacts(proof.checkpoint, proof.rows)
  return by_channel.length > 0 ? null : code_by
}
