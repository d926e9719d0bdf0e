import type { StoredAttempt, StoredRefund } from '../../db/attempts.ts'

/** What of an attempt's money was not paid back, and is not on its way, in minor units of `paid_currency`. */
export function refundableOf({ id, paid_amount }: StoredAttempt, refunds: readonly StoredRefund[]): bigint {
  const back = refunds.filter(({ attempt_id, state }) => attempt_id === id && state !== 'refused')
  return back.reduce((left, { amount }) => left - amount, paid_amount ?? 0n)
}
