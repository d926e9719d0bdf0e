import type { Ctx } from '@svc/kit'
import type { Proof } from '../../db/proof.ts'
import { firstBreak, type Break } from './log-chain.ts'

/** The first row of its log that has been changed. */
export const findBreak = (ctx: Ctx, proof: Proof): Break | null =>
  firstBreak(ctx.secrets, proof) ?? findMissingLog(proof)

/**
 * Sending is logged, so a version with a sending instant, or with a state that only follows sending, must have a log.
 */
function findMissingLog({ budget, checkpoint, rows }: Proof): Break | null {
  const wasSent = budget.sent_at !== null || ['sent', 'accepted', 'rejected', 'expired'].includes(budget.status)
  return wasSent && rows.length === 0 && !checkpoint ? { seq: 1, id: null, why: 'is missing' } : null
}
