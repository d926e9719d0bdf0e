import type { Attention } from '../../../shared/domain/request-state.ts'
import type { StoredAttempt, StoredRefund } from '../../db/attempts.ts'

/** What of an attempt's money was not paid back, and is not on its way, in minor units of `paid_currency`. */
export function refundableOf({ id, paid_amount }: StoredAttempt, refunds: readonly StoredRefund[]): bigint {
  const back = refunds.filter(({ attempt_id, state }) => attempt_id === id && state !== 'refused')
  return back.reduce((left, { amount }) => left - amount, paid_amount ?? 0n)
}

/** Why the staff should still look at payments: only at those of which something can be paid back. */
export function reasonsOf(attempts: readonly StoredAttempt[], refunds: readonly StoredRefund[]): Set<Attention> {
  return new Set(attempts.filter(attempt => refundableOf(attempt, refunds) > 0n).flatMap(({ id, attention }) => [
    ...attention === null ? [] : [attention],
    ...refunds.some(({ attempt_id, state }) => attempt_id === id && state === 'refused') ? ['refund_refused' as const] : []
  ]))
}
