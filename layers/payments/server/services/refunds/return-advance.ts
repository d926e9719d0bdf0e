import type { Ctx } from '@svc/kit'
import { findRefund, updateRefund } from '../../db/attempts.ts'
import { recordAdvance } from '../attempts/record-advance.ts'

/**
 * Takes the refund out of the clinic's books: the advance, or the payment of the invoice, is reversed by the same
 * amount. Its id is the refund's, so that a repeated job records it once.
 */
export async function returnAdvance(ctx: Ctx, { refund_id }: { refund_id: string }): Promise<void> {
  const refund = await findRefund(ctx.db, refund_id)
  if (!refund || refund.recorded_at) return
  await recordAdvance(ctx, refund) // The advance is there before anything of it is returned.
  const { clinic_id, attempt_id, amount, reason, created_by } = refund
  await ctx.db.transaction(async (tx) => {
    await ctx.use('billing').returnAdvance(tx, {
      clinic_id, advance_id: attempt_id, amount, reason: reason ?? '—', reversal_id: refund_id, reversed_by: created_by
    })
    await updateRefund(tx, refund_id, { recorded_at: await ctx.clock.now(tx) })
  })
}
