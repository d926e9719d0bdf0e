import type { Ctx, Db, Tx } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import { readProof } from '../../db/proof.ts'
import { findBreak } from './find-break.ts'
import { isLogEmpty } from './log-chain.ts'
import { isSentByLog, tampered } from './sent-seal.ts'

/**
 * Called before a draft is changed, sent, cancelled or deleted: its log must be intact and contain no sending. SQL can
 * set a sent version back to draft, but can't remove the sending from the log. Only a closed version has a checkpoint.
 * Throws `content_tampered`.
 */
export async function assertUnsent(ctx: Ctx, tx: Tx | Db, budget: BudgetRow): Promise<void> {
  if (budget.status !== 'draft' || isLogEmpty(ctx.secrets, budget)) return
  const proof = await readProof(tx, budget.id)
  if (!proof || proof.checkpoint || findBreak(ctx, proof) || isSentByLog(proof)) throw tampered(ctx, budget.id)
}
