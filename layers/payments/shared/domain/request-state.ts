/** `failed`: the last attempt failed, and the patient can try again. */
export const REQUEST_STATES = ['open', 'pending', 'paid', 'failed', 'cancelled', 'refunded'] as const
export type RequestState = typeof REQUEST_STATES[number]

/** `mismatch`: the provider took another amount or currency, or no real money, which pays nothing. */
export const ATTEMPT_STATES = ['open', 'pending', 'paid', 'failed', 'cancelled', 'mismatch'] as const
export type AttemptState = typeof ATTEMPT_STATES[number]

/** `pending`: the provider has accepted the refund, and the money is on its way. */
export const REFUND_STATES = ['open', 'pending', 'done', 'refused'] as const
export type RefundState = typeof REFUND_STATES[number]

/**
 * What the staff should look at: another amount than asked for; a payment in test mode after the clinic went live; a
 * second payment of one request; a payment after the request was cancelled, or its acceptance withdrawn; a refund that
 * the provider refused; a refund of which billing has nothing left to return.
 */
export const ATTENTION = ['mismatch', 'test_payment', 'paid_twice', 'paid_late', 'refund_refused', 'refund_unrecorded'] as const
export type Attention = typeof ATTENTION[number]

const NEXT: Record<RequestState, readonly RequestState[]> = {
  open: ['pending', 'failed', 'paid', 'cancelled'],
  pending: ['open', 'paid', 'failed', 'cancelled'],
  failed: ['open', 'pending', 'paid', 'cancelled'],
  paid: ['refunded'],
  cancelled: [],
  refunded: []
}

export const canBecome = (from: RequestState, to: RequestState): boolean => NEXT[from].includes(to)

/** Whether the patient can still pay it. */
export const isPayable = (state: RequestState): boolean => canBecome(state, 'paid')

/** Of a request that was neither paid nor cancelled, by its attempts, oldest first. */
export function stateByAttempts(attempts: readonly AttemptState[]): RequestState {
  if (attempts.some(state => state === 'open' || state === 'pending')) return 'pending'
  return attempts.at(-1) === 'failed' ? 'failed' : 'open'
}

/** What a payment does that is not the one asked for; null for the one that pays the request. */
export function attentionOf(
  request: RequestState,
  asked: { amount: bigint, currency: string },
  paid: { amount: bigint, currency: string }
): Attention | null {
  if (paid.amount !== asked.amount || paid.currency !== asked.currency) return 'mismatch'
  if (isPayable(request)) return null
  return request === 'cancelled' ? 'paid_late' : 'paid_twice'
}
