import { isId, isProblem, problem, type Ctx, type Tx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { RefundRequest } from '../../../shared/contract.ts'
import {
  findRefund, insertRefund, listAttempts, listRefunds, type StoredAttempt, type StoredRefund
} from '../../db/attempts.ts'
import { findRequestLocked, type RequestKey, type StoredRequest } from '../../db/requests.ts'
import { recordChange, type Who } from '../requests/cancel-request.ts'
import { invalid, readAmount } from '../requests/read-amount.ts'
import { processRefund } from './process-refund.ts'
import { refundableOf } from './refundable.ts'

const FIRST_CHECK_MS = 60_000

type Input = RequestKey & RefundRequest & { user_id: string, who: Who }

/**
 * Pays money back, in whole or in part. The refund is stored before the provider is called, and its id is the
 * idempotency key: if the process ends in between, the schedule repeats the call. Throws `not_found`, `over_refund`,
 * `request_closed` if nothing was paid, `id_used`.
 */
export async function requestRefund(ctx: Ctx, input: Input): Promise<void> {
  const { id, isNew } = await ctx.db.transaction(tx => store(ctx, tx, input))
  // The call of a request that was sent twice may still run.
  if (!isNew) return
  try {
    await processRefund(ctx, id)
  } catch (error) {
    // The refund is shown as open, and the schedule continues with it.
    if (!isProblem(error)) throw error
    ctx.log.warn('payments.refund_waits', { refund_id: id, problem: error.code })
  }
}

async function store(ctx: Ctx, tx: Tx, input: Input): Promise<{ id: string, isNew: boolean }> {
  const { clinic_id, id, refund_id, reason, user_id } = input
  const request = isId(id) ? await findRequestLocked(tx, { clinic_id, id }) : null
  if (!request) throw problem('not_found')
  const attempt = findPaid(await listAttempts(tx, [id]), input.attempt_id ?? request.paid_by_attempt)
  const refunds = await listRefunds(tx, [id])
  const known = refund_id === undefined ? null : await findRefund(tx, refund_id)
  if (known) return { id: sameRefund(known, { request, attempt, input }), isNew: false }
  const left = await leftOf(ctx, tx, attempt, refunds)
  const currency = attempt.paid_currency!
  const amount = input.amount === undefined ? left : readAmount(input.amount, currency)
  if (amount > left || amount === 0n) throw problem('over_refund', {
    detail: `${formatMoney(left, currency)} ${currency} is left of the payment.`,
    left: formatMoney(left, currency)
  })
  const now = await ctx.clock.now(tx)
  const row = await insertRefund(tx, {
    ...refund_id === undefined ? {} : { id: refund_id },
    attempt_id: attempt.id,
    request_id: id,
    clinic_id,
    amount,
    reason,
    created_by: user_id,
    created_at: now,
    next_check_at: new Date(now.getTime() + FIRST_CHECK_MS)
  })
  if (!row) throw problem('id_used')
  await recordChange(ctx, tx, request, input.who, 'refunded')
  return { id: row.id, isNew: true }
}

/**
 * Billing may have less left than the provider, because the staff can return an advance by hand. Read the refunds
 * before the advance: one that billing records in between counts twice instead of not at all.
 */
async function leftOf(ctx: Ctx, tx: Tx, attempt: StoredAttempt, refunds: StoredRefund[]): Promise<bigint> {
  const left = refundableOf(attempt, refunds)
  const advance = await ctx.use('billing').getAdvance(attempt.clinic_id, attempt.id, tx)
  // Billing has no advance of a mismatch, nor of a payment that its job has yet to record.
  if (!advance) return left
  const unrecorded = refunds.filter(({ attempt_id, state, recorded_at }) =>
    attempt_id === attempt.id && state !== 'refused' && recorded_at === null)
  const open = unrecorded.reduce((rest, { amount }) => rest - amount, advance.amount - advance.returned)
  return open < 0n ? 0n : open < left ? open : left
}

function findPaid(attempts: StoredAttempt[], id: string | null): StoredAttempt {
  if (id === null) throw problem('request_closed', { detail: 'Nothing was paid yet, so nothing can be refunded.' })
  const attempt = attempts.find(candidate => candidate.id === id)
  if (!attempt) throw invalid('/attempt_id', 'There is no such attempt.')
  if (attempt.paid_amount === null) throw invalid('/attempt_id', 'Nothing was paid by this attempt.')
  return attempt
}

function sameRefund(
  known: StoredRefund,
  { request, attempt, input }: { request: StoredRequest, attempt: StoredAttempt, input: Input }
): string {
  const isSame = known.request_id === request.id && known.attempt_id === attempt.id
    && (input.amount === undefined || readAmount(input.amount, attempt.paid_currency!) === known.amount)
  if (!isSame) throw problem('id_used')
  return known.id
}
