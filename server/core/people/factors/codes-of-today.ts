import { problem } from '@svc/kit'
import type { Limits } from '../../host.ts'

/**
 * Of someone who knows the password, which a stranger doesn't: at three valid codes of a million, a person who guesses
 * all year has one chance in thirty.
 */
const CODES_A_DAY = { name: 'core:factor-codes', points: 30, seconds: 24 * 3600 }

/**
 * Counts before the code is compared, in signing in and confirming alike; returns what refunds a right one. `present`
 * is the account as `presentAccount` names it. Throws `too_many_requests`.
 */
export async function takeCodeOfToday(limits: Limits, present: string): Promise<() => Promise<void>> {
  const ofToday = limits.limiter(CODES_A_DAY)
  const { allowed, reset } = await ofToday.take(present)
  if (!allowed) throw problem('too_many_requests', { retry_after: reset })
  return async () => { await ofToday.refundAttempt(present) }
}
