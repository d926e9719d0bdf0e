import type { AttemptState } from './request-state.ts'

const MINUTE = 60_000
const FIRST = [1, 5, 30].map(minutes => minutes * MINUTE)
const HOUR = 60 * MINUTE
const END = 3 * 24 * HOUR

interface Checked { provider: string, state: AttemptState, checks: number }

/**
 * Whether the provider is asked about an attempt again. `checks`: how often it was asked already. At Redsys a person
 * whose card was declined can try another one on the same page, so a failed order can still be paid for a while.
 */
export function isAsked({ provider, state, checks }: Checked): boolean {
  if (state === 'open' || state === 'pending') return true
  return provider === 'redsys' && state === 'failed' && checks < FIRST.length
}

/**
 * When the provider is asked about a pending attempt: 1, 5 and 30 minutes after it began, then every hour for three
 * days. `checks`: how often it was asked already. Null: no more.
 */
export function nextCheck({ created_at, now, checks }: { created_at: Date, now: Date, checks: number }): Date | null {
  const age = now.getTime() - created_at.getTime()
  const first = FIRST[checks]
  const after = first !== undefined && first > age ? first : age + (first === undefined ? HOUR : MINUTE)
  return after > END ? null : new Date(created_at.getTime() + after)
}

/** When the provider is asked about a refund that is on its way: like an attempt, and after that once a day. */
export const nextRefundCheck = ({ created_at, now }: { created_at: Date, now: Date }): Date =>
  nextCheck({ created_at, now, checks: FIRST.length }) ?? new Date(now.getTime() + 24 * HOUR)
