import type { Clinic, Ctx, Tx } from '@svc/kit'
import { BEFORE_ALL, findTerm, isClosed, listOverTerm, removeLogRows, saveCheckpoint } from '../../db/checkpoints.ts'
import { readProof, type Proof } from '../../db/proof.ts'
import { lockHead } from '../../db/access-log.ts'
import { findBreak } from './find-break.ts'
import { checkpointSeal } from './log-chain.ts'
import { logFacts } from './log-facts.ts'

/** The job: removes log rows of closed versions after the clinic's retention time; ADR 10. */
export async function trimLogs(ctx: Ctx): Promise<void> {
  for (const clinic of await ctx.clinics.list()) await trimLogsOf(ctx, clinic)
}

async function trimLogsOf(
  ctx: Ctx,
  { id: clinic_id, retention: { access_log_months: months } }: Clinic
): Promise<void> {
  if (months === null) return
  let removed = 0
  for (let after = BEFORE_ALL; ;) {
    const logs = await listOverTerm(ctx.db, { clinic_id, months, after })
    if (logs.length === 0) break
    for (const { budget_id: id } of logs) removed += await ctx.db.transaction(tx => trimLog(ctx, tx, { id, months }))
    after = logs.at(-1)!
  }
  if (removed > 0) ctx.log.info('budget.logs_trimmed', { clinic_id, rows: removed })
}

/**
 * Removes the expired rows at the beginning of one log, in one transaction under the budget's lock, so that nothing is
 * appended meanwhile. A log that fails its check keeps all rows, so that a manipulation does not vanish behind a valid
 * seal.
 */
async function trimLog(ctx: Ctx, tx: Tx, { id, months }: { id: string, months: number }): Promise<number> {
  if (!await lockHead(tx, id)) return 0
  const proof = await readProof(tx, id)
  if (!proof || !isClosed(proof.budget.status)) return 0
  if (findBreak(ctx, proof)) {
    ctx.log.warn('budget.log_not_trimmed', { budget_id: id })
    return 0
  }
  const { now, before } = await findTerm(tx, months)
  const kept = proof.rows.findIndex(({ at }) => at >= before)
  const over = kept === -1 ? proof.rows : proof.rows.slice(0, kept)
  if (over.length > 0) await replace(ctx, tx, { proof, over, now })
  return over.length
}

/** One checkpoint replaces all rows ever removed: it includes an older one. */
async function replace(
  ctx: Ctx,
  tx: Tx,
  { proof: { budget, checkpoint }, over, now }: { proof: Proof, over: Proof['rows'], now: string }
): Promise<void> {
  const last = over.at(-1)!
  const fresh = {
    budget_id: budget.id,
    clinic_id: budget.clinic_id,
    seq: last.seq,
    hash: last.hash,
    rows: (checkpoint?.rows ?? 0) + over.length,
    from_at: checkpoint?.from_at ?? over[0]!.at,
    to_at: last.at,
    made_at: now,
    facts: logFacts(checkpoint, over)
  }
  await saveCheckpoint(tx, { ...fresh, seal: checkpointSeal(ctx.secrets, fresh) })
  await removeLogRows(tx, budget.id, last.seq)
}
