import type { Ctx, Tx } from '@svc/kit'
import { attentionOf, canBecome, stateByAttempts } from '../../../shared/domain/request-state.ts'
import { isAsked } from '../../../shared/domain/schedule.ts'
import {
  findAttempt, findAttemptLocked, listAttempts, updateAttempt, type StoredAttempt
} from '../../db/attempts.ts'
import { findRequestLocked, updateRequest, type StoredRequest } from '../../db/requests.ts'
import type { PaymentStatus } from '../../providers/provider.ts'
import { settingsOf } from '../../settings.ts'
import { addAttention, factOf } from '../requests/facts.ts'

/** As the provider says it, or the staff. */
export type Decided = Omit<PaymentStatus, 'method'> & { method: NonNullable<StoredAttempt['method']> }

/**
 * Records what a provider says of an attempt, in a verified report or an answer. It can come twice, late and in any
 * order: a paid attempt stays paid, and one request is paid once.
 */
export async function settleAttempt(ctx: Ctx, id: string, status: Decided): Promise<void> {
  const known = await findAttempt(ctx.db, id)
  if (!known) return
  await ctx.db.transaction(async (tx) => {
    const request = await findRequestLocked(tx, { clinic_id: known.clinic_id, id: known.request_id })
    const attempt = await findAttemptLocked(tx, id)
    if (request && attempt) await settle(ctx, tx, { request, attempt }, status)
  })
}

interface Locked { request: StoredRequest, attempt: StoredAttempt }

/** The same with both rows locked, the request first. */
export async function settle(ctx: Ctx, tx: Tx, { request, attempt }: Locked, status: Decided): Promise<void> {
  if (attempt.state === 'paid' || attempt.state === 'mismatch') return
  if (status.state === 'paid') return await settlePaid(ctx, tx, { request, attempt }, status)
  if (attempt.state === 'failed' || attempt.state === 'cancelled') return
  const ended = isAsked({ ...attempt, state: status.state }) ? {} : { next_check_at: null, unreachable_since: null }
  await updateAttempt(tx, attempt.id, { state: status.state, ...ended })
  await refreshState(tx, request)
}

async function settlePaid(ctx: Ctx, tx: Tx, { request, attempt }: Locked, status: Decided): Promise<void> {
  const { amount: paid_amount, currency: paid_currency, method, payment_ref } = status
  if (paid_amount === null || paid_currency === null) throw new Error('a paid attempt has an amount')
  const paid_at = status.paid_at ?? await ctx.clock.now(tx)
  const attention = await isOnlyTest(ctx, tx, attempt)
    ? 'test_payment'
    : attentionOf(request.state, attempt, { amount: paid_amount, currency: paid_currency })
  const state = attention === 'mismatch' || attention === 'test_payment' ? 'mismatch' : 'paid'
  await updateAttempt(tx, attempt.id, {
    state, attention, paid_amount, paid_currency, paid_at, method, payment_ref,
    next_check_at: null, unreachable_since: null
  })
  if (attention === null) {
    // An attempt that began before the request was lowered to what is due has the earlier amount.
    await updateRequest(tx, request.id, {
      state: 'paid', amount: paid_amount, paid_at, paid_by_attempt: attempt.id, method, ended_at: await ctx.clock.now(tx)
    })
    await ctx.events.publish(tx, 'payments.paid', {
      ...factOf({ ...request, amount: paid_amount }), attempt_id: attempt.id, method, paid_at: paid_at.toISOString()
    }, { key: request.id })
  } else {
    await addAttention(ctx, tx, request, { attempt_id: attempt.id, attention })
    if (state === 'mismatch') await refreshState(tx, request)
  }
  // In a job of its own: billing locks the budget, which must not wait for a row that is locked here.
  if (state === 'paid') await ctx.jobs.add(tx, 'record_advance', { attempt_id: attempt.id }, { key: request.id })
}

/** No money comes in test mode, so such a payment counts only while the clinic itself is in test mode. */
async function isOnlyTest(ctx: Ctx, tx: Tx, { clinic_id, provider, mode }: StoredAttempt): Promise<boolean> {
  return mode === 'test' && provider !== 'manual' && (await settingsOf(ctx, clinic_id, tx)).mode === 'live'
}

/** After an attempt began or ended without paying the request. */
export async function refreshState(tx: Tx, request: StoredRequest): Promise<void> {
  const attempts = await listAttempts(tx, [request.id])
  const state = stateByAttempts(attempts.filter(({ provider }) => provider !== 'manual').map(({ state }) => state))
  if (state !== request.state && canBecome(request.state, state)) await updateRequest(tx, request.id, { state })
}
