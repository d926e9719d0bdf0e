import { isProblem, problem, type Ctx } from '@svc/kit'
import { isAsked, nextCheck } from '../../../shared/domain/schedule.ts'
import { findAttempt, noteCheck, saveCheckout, type StoredAttempt } from '../../db/attempts.ts'
import { findRequest } from '../../db/requests.ts'
import { providerOf } from '../../providers/index.ts'
import type { Provider } from '../../providers/provider.ts'
import { settingsOf } from '../../settings.ts'
import { orderOf } from './order.ts'
import { settleAttempt, type Decided } from './settle-attempt.ts'

/** An attempt of which nothing can be paid: its checkout was never shown to anyone. */
const ENDED: Decided = {
  state: 'cancelled', amount: null, currency: null, paid_at: null, payment_ref: null, method: 'other'
}

/**
 * Asks the provider about an attempt, and records the answer. An attempt without the provider's name for it is made
 * again first: the process may have ended after the provider's answer. Throws `provider_unreachable`.
 */
export async function checkAttempt(ctx: Ctx, id: string): Promise<void> {
  const attempt = await findAttempt(ctx.db, id)
  if (!attempt || attempt.provider === 'manual' || attempt.state === 'paid' || attempt.state === 'mismatch') return
  const now = await ctx.clock.now()
  const checks = attempt.checks + 1
  const next_check_at = nextCheck({ created_at: attempt.created_at, now, checks })
  try {
    await ask(ctx, attempt)
    const after = await findAttempt(ctx.db, id)
    const isOpen = after && isAsked({ ...after, checks })
    await noteCheck(ctx.db, id, {
      checked_at: now, checks, unreachable_since: null, next_check_at: isOpen ? next_check_at : null
    })
  } catch (error) {
    // A fault of ours is logged as an error, and is not the provider's silence.
    const unreachable_since = isProblem(error) ? attempt.unreachable_since ?? now : attempt.unreachable_since
    await noteCheck(ctx.db, id, { checks, next_check_at, unreachable_since })
    throw error
  }
}

/** As `checkAttempt`, for a job: the schedule asks again later, instead of the job. */
export async function checkByJob(ctx: Ctx, { attempt_id }: { attempt_id: string }): Promise<void> {
  try {
    await checkAttempt(ctx, attempt_id)
  } catch (error) {
    if (isProblem(error)) ctx.log.warn('payments.unreachable', { attempt_id, problem: error.code })
    else ctx.log.error('payments.check_failed', { attempt_id, error })
  }
}

async function ask(ctx: Ctx, attempt: StoredAttempt): Promise<void> {
  const settings = { ...await settingsOf(ctx, attempt.clinic_id), mode: attempt.mode }
  const provider = await providerOf(attempt.provider as Provider['name'])
  // Keys that the clinic has removed meanwhile.
  if (provider.missing({ ...settings, provider: provider.name }).length > 0) throw problem('provider_not_ready')
  const ref = attempt.ref ?? await createAgain()
  await settleAttempt(ctx, attempt.id, ref === null
    ? ENDED
    : await provider.getStatus(ctx, settings, { attempt_id: attempt.id, ref }))

  /** Null if there can be no checkout: the link to it was erased, or the provider can't take the amount. */
  async function createAgain(): Promise<string | null> {
    const request = await findRequest(ctx.db, { clinic_id: attempt.clinic_id, id: attempt.request_id })
    if (!request || request.token_sealed === '') return null
    try {
      const checkout = await provider.createCheckout(ctx, settings, await orderOf(ctx, { request, attempt }))
      await saveCheckout(ctx.db, attempt.id, checkout.ref)
      return checkout.ref
    } catch (error) {
      if (!isProblem(error) || error.code !== 'provider_refused') throw error
      return null
    }
  }
}
