import type { Ctx } from '@svc/kit'
import type { Proof } from '../db/proof.ts'
import type { Fault } from './fault.ts'
import { firstBreak, type Break } from './log-chain.ts'
import { logFacts } from './log-facts.ts'
import { verifyContent, verifyErasure } from './verify-content.ts'
import { verifySignedPdf } from './verify-signed-pdf.ts'

/** All that proves one version: its log, the content that was decided on, and the stored files. */
export async function verifyBudget(ctx: Ctx, proof: Proof): Promise<Fault[]> {
  const broken = findBreak(ctx, proof)
  const facts = broken ? null : logFacts(proof.checkpoint, proof.rows) // of a broken log nothing is believed
  return [...broken ? [toFault(broken)] : [], ...verifyErasure(ctx, proof), ...await verifyContent(ctx, proof, facts), ...await verifySignedPdf(ctx, proof, facts)]
}

/** The record of its decision alone. A log that does not hold is no reason to doubt it, and none to believe it. */
export const verifyRecord = async (ctx: Ctx, proof: Proof): Promise<Fault[]> => await verifyContent(ctx, proof, findBreak(ctx, proof) ? null : logFacts(proof.checkpoint, proof.rows))

/** The first row of its log that is not as it was written. */
export const findBreak = (ctx: Ctx, proof: Proof): Break | null => firstBreak(ctx.secrets, proof) ?? lostWhole(proof)

/** Sending is logged, so a version that was sent has a log; a state that comes after it is as good as the stamp. */
function lostWhole({ budget, checkpoint, rows }: Proof): Break | null {
  const wasSent = budget.sent_at !== null || ['sent', 'accepted', 'rejected', 'expired'].includes(budget.status)
  return wasSent && rows.length === 0 && !checkpoint ? { seq: 1, id: null, why: 'is missing' } : null
}

const toFault = ({ seq, id, why }: Break): Fault => ({
  code: 'log_chain_broken',
  message: `Row ${seq} of the access log${id ? ` (${id})` : ''} ${why}.`,
  fix: 'Compare the log with a backup: somebody changed the database past the service.'
})
