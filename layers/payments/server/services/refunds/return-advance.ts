import { isProblem, type Ctx } from '@svc/kit'
import { findRefund, updateRefund, type StoredRefund } from '../../db/attempts.ts'
import { findRequestLocked } from '../../db/requests.ts'
import { recordAdvance } from '../attempts/record-advance.ts'
import { addAttention } from '../requests/facts.ts'

/**
 * Takes the refund out of the clinic's books: the advance, or the payment of the invoice, is reversed by the same
 * amount. Its id is the refund's, so that a repeated job records it once. If the staff have returned the advance by
 * hand meanwhile, nothing is left to reverse: they have to look at it.
 */
export async function returnAdvance(ctx: Ctx, { refund_id }: { refund_id: string }): Promise<void> {
  const refund = await findRefund(ctx.db, refund_id)
  if (!refund || refund.recorded_at) return
  await recordAdvance(ctx, refund) // The advance is there before anything of it is returned.
  try {
    await record(ctx, refund)
  } catch (error) {
    if (!isProblem(error) || error.code !== 'over_advance') throw error
    await noteUnrecorded(ctx, refund)
  }
}

async function record(ctx: Ctx, refund: StoredRefund): Promise<void> {
  const { id: refund_id, clinic_id, request_id, attempt_id, amount, created_by } = refund
  await ctx.db.transaction(async (tx) => {
    // In the order of an erasure, which may have emptied the reason meanwhile.
    await findRequestLocked(tx, { clinic_id, id: request_id })
    const reason = (await findRefund(tx, refund_id))?.reason
    await ctx.use('billing').returnAdvance(tx, {
      clinic_id, advance_id: attempt_id, amount, reason: reason ?? '—', reversal_id: refund_id, reversed_by: created_by
    })
    await updateRefund(tx, refund_id, { recorded_at: await ctx.clock.now(tx) })
  })
}

async function noteUnrecorded(ctx: Ctx, refund: StoredRefund): Promise<void> {
  const { clinic_id, request_id, attempt_id } = refund
  ctx.log.warn('payments.refund_unrecorded', { refund_id: refund.id })
  await ctx.db.transaction(async (tx) => {
    const request = await findRequestLocked(tx, { clinic_id, id: request_id })
    if (request) await addAttention(ctx, tx, request, { attempt_id, attention: 'refund_unrecorded' })
  })
}
