import { problem } from '@svc/kit'
import type { Limits } from '../../host.ts'

/**
 * Failed codes of someone who knows the password, which a stranger does not: with three valid codes in a million,
 * guessing for a year succeeds with a chance of one in thirty.
 */
const CODES_PER_DAY = { name: 'core:factor-codes', points: 30, seconds: 24 * 3600 }

/**
 * Counts before the code is compared, both in signing in and in confirming. Returns a function that refunds a correct
 * code. `present` is the account as named by `presentAccount`. Throws `too_many_requests`.
 */
export async function takeCodeOfToday(limits: Limits, present: string): Promise<() => Promise<void>> {
  const ofToday = limits.limiter(CODES_PER_DAY)
  const { allowed, reset } = await ofToday.take(present)
  if (!allowed) throw problem('too_many_requests', { retry_after: reset })
  return async () => { await ofToday.refundAttempt(present) }
}
