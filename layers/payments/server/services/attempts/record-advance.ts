import type { Ctx } from '@svc/kit'
import { findAttempt, updateAttempt } from '../../db/attempts.ts'
import { findRequest } from '../../db/requests.ts'

/**
 * The payment in the clinic's books: an advance of the budget, with a receipt. It pays what is due of an issued
 * invoice. Its id is the attempt's, so that a repeated job records it once.
 */
export async function recordAdvance(ctx: Ctx, { attempt_id }: { attempt_id: string }): Promise<void> {
  const attempt = await findAttempt(ctx.db, attempt_id)
  if (attempt?.state !== 'paid' || attempt.recorded_at) return
  const { clinic_id, request_id, paid_amount, paid_currency, paid_at, method, payment_ref, created_by } = attempt
  const request = await findRequest(ctx.db, { clinic_id, id: request_id })
  if (!request) return
  await ctx.db.transaction(async (tx) => {
    await ctx.use('billing').recordAdvance(tx, {
      clinic_id,
      budget_id: request.budget_id,
      amount: paid_amount!,
      currency: paid_currency!,
      method: method ?? 'other',
      paid_at: paid_at!,
      reference: payment_ref ?? request.reference,
      advance_id: attempt_id,
      created_by
    })
    await updateAttempt(tx, attempt_id, { recorded_at: await ctx.clock.now(tx) })
  })
}
