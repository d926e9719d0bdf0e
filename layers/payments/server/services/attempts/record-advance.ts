import type { Ctx, Tx } from '@svc/kit'
import { findAttempt, updateAttempt, type StoredAttempt } from '../../db/attempts.ts'
import { findRequest, findRequestLocked, type StoredRequest } from '../../db/requests.ts'
import { addAttention } from '../requests/facts.ts'

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
    // Before billing's locks, in the order of an erasure.
    const locked = (await findRequestLocked(tx, request))!
    const { balance } = await ctx.use('billing').recordAdvance(tx, {
      clinic_id,
      budget_id: request.budget_id,
      amount: paid_amount!,
      currency: paid_currency!,
      method: method ?? 'other',
      paid_at: paid_at!,
      reference: payment_ref ?? request.reference,
      invoice_id: request.invoice_id,
      advance_id: attempt_id,
      created_by
    })
    await updateAttempt(tx, attempt_id, { recorded_at: await ctx.clock.now(tx) })
    if (balance > 0n && await isSpare(ctx, tx, request)) await notePaidTwice(ctx, tx, { request: locked, attempt })
  })
}

/** Money that no invoice takes: of an invoice's request, or of a deposit whose invoices were paid in another way. */
async function isSpare(ctx: Ctx, tx: Tx, { kind, clinic_id, budget_id }: StoredRequest): Promise<boolean> {
  if (kind === 'invoice') return true
  const invoices = (await ctx.use('billing').listInvoicesOf(clinic_id, budget_id, tx)).map(({ status }) => status)
  return invoices.includes('paid') && !invoices.includes('draft') && !invoices.includes('issued')
}

interface Recorded { request: StoredRequest, attempt: StoredAttempt }

async function notePaidTwice(ctx: Ctx, tx: Tx, { request, attempt: { id, attention } }: Recorded): Promise<void> {
  // A payment that has a reason already is on the list.
  if (attention !== null) return
  await updateAttempt(tx, id, { attention: 'paid_twice' })
  await addAttention(ctx, tx, request, { attempt_id: id, attention: 'paid_twice' })
}
