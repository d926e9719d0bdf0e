import { isProblem, type Ctx, type Tx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import { nextRefundCheck } from '../../../shared/domain/schedule.ts'
import {
  findAttempt, findRefund, findRefundLocked, listAttempts, listRefunds, updateRefund,
  type StoredAttempt, type StoredRefund
} from '../../db/attempts.ts'
import { findRequestLocked, updateRequest, type StoredRequest } from '../../db/requests.ts'
import { providerOf } from '../../providers/index.ts'
import type { RefundAnswer } from '../../providers/provider.ts'
import { settingsOf } from '../../settings.ts'
import { addAttention, factOf } from '../requests/facts.ts'
import { reasonsOf } from './refundable.ts'

/**
 * Asks the provider to pay a refund back, and records the answer. Safe to repeat: the refund's id is the idempotency
 * key, so a repeated call gets the first answer. A provider without such keys is asked what it has returned so far, so
 * the refunds of an attempt are made one after another: one whose predecessor is open waits for the schedule. Throws
 * `provider_unreachable` and `provider_refused`.
 */
export async function processRefund(ctx: Ctx, id: string): Promise<void> {
  const refund = await findRefund(ctx.db, id)
  if (!refund || refund.state === 'done' || refund.state === 'refused') return
  const attempt = (await findAttempt(ctx.db, refund.attempt_id))!
  const refunds = (await listRefunds(ctx.db, [refund.request_id])).filter(row => row.attempt_id === attempt.id)
  const earlier = refunds.slice(0, refunds.findIndex(row => row.id === id))
  if (earlier.some(({ state }) => state === 'open')) return
  const answer = await ask(ctx, attempt, { refund, others: refunds.filter(row => row.id !== id) })
  await ctx.db.transaction(async (tx) => {
    const request = await findRequestLocked(tx, { clinic_id: refund.clinic_id, id: refund.request_id })
    const locked = await findRefundLocked(tx, id)
    if (request && locked) await settleRefund(ctx, tx, { request, attempt, refund: locked }, answer)
  })
}

/** As `processRefund`, for a job: the schedule repeats it later, instead of the job. */
export async function checkRefund(ctx: Ctx, { refund_id }: { refund_id: string }): Promise<void> {
  try {
    await processRefund(ctx, refund_id)
  } catch (error) {
    if (isProblem(error)) ctx.log.warn('payments.unreachable', { refund_id, problem: error.code })
    else ctx.log.error('payments.check_failed', { refund_id, error })
  }
}

interface Refunds { refund: StoredRefund, others: StoredRefund[] }

/** The staff return by hand what they took by hand. */
async function ask(ctx: Ctx, attempt: StoredAttempt, { refund, others }: Refunds): Promise<RefundAnswer> {
  if (attempt.provider === 'manual') return { state: 'done', refund_ref: null, reason: null }
  const settings = { ...await settingsOf(ctx, attempt.clinic_id), mode: attempt.mode }
  const provider = await providerOf(attempt.provider)
  const returned = others.filter(({ state }) => state === 'done' || state === 'pending')
  return await provider.refund(ctx, settings, {
    refund_id: refund.id,
    attempt_id: attempt.id,
    ref: attempt.ref!,
    payment_ref: attempt.payment_ref,
    amount: refund.amount,
    currency: attempt.paid_currency!,
    refunded_before: returned.reduce((sum, { amount }) => sum + amount, 0n),
    // The provider shows it to the patient: the staff's own words stay here.
    reason: 'requested_by_customer'
  })
}

interface Locked { request: StoredRequest, attempt: StoredAttempt, refund: StoredRefund }

async function settleRefund(ctx: Ctx, tx: Tx, locked: Locked, answer: RefundAnswer): Promise<void> {
  const { request, attempt, refund } = locked
  if (refund.state === 'done' || refund.state === 'refused') return
  const now = await ctx.clock.now(tx)
  await updateRefund(tx, refund.id, {
    state: answer.state,
    refund_ref: answer.refund_ref,
    detail: answer.state === 'refused' ? answer.reason?.slice(0, 500) ?? null : null,
    ...answer.state === 'pending'
      ? { next_check_at: nextRefundCheck({ created_at: refund.created_at, now }) }
      : { done_at: now, next_check_at: null }
  })
  if (answer.state === 'refused')
    return await addAttention(ctx, tx, request, { attempt_id: attempt.id, attention: 'refund_refused' })
  // A provider can still refuse a pending refund, so the books wait for the end.
  if (answer.state === 'pending') return
  await countRefund(tx, { request, attempt, refund }, now)
  await ctx.events.publish(tx, 'payments.refunded', {
    ...factOf(request),
    refund_id: refund.id,
    attempt_id: attempt.id,
    refunded: formatMoney(refund.amount, attempt.paid_currency!),
    reason: refund.reason
  }, { key: request.id })
  if (attempt.state === 'paid')
    await ctx.jobs.add(tx, 'return_advance', { refund_id: refund.id }, { key: refund.id })
}

/** A payment that went back completely needs no attention any more; another one with the same reason still does. */
async function countRefund(tx: Tx, { request, attempt, refund }: Locked, now: Date): Promise<void> {
  const reasons = reasonsOf(await listAttempts(tx, [request.id]), await listRefunds(tx, [request.id]))
  const attention = request.attention.filter(reason => reason === 'refund_unrecorded' || reasons.has(reason))
  const isPaying = attempt.id === request.paid_by_attempt
  const refunded = isPaying ? request.refunded + refund.amount : request.refunded
  const ended = isPaying && refunded === request.amount ? { state: 'refunded' as const, ended_at: now } : {}
  await updateRequest(tx, request.id, { refunded, attention, ...ended })
}
