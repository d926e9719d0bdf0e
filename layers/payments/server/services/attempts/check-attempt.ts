import { isProblem, problem, type Ctx } from '@svc/kit'
import { nextCheck } from '../../../shared/domain/schedule.ts'
import { findAttempt, saveCheckout, updateAttempt, type StoredAttempt } from '../../db/attempts.ts'
import { findRequest } from '../../db/requests.ts'
import { providerOf } from '../../providers/index.ts'
import type { Provider } from '../../providers/provider.ts'
import { settingsOf } from '../../settings.ts'
import { orderOf } from './order.ts'
import { settleAttempt } from './settle-attempt.ts'

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
    const isOver = !after || !['open', 'pending'].includes(after.state)
    await updateAttempt(ctx.db, id, {
      checked_at: now, checks, unreachable_since: null, next_check_at: isOver ? null : next_check_at
    })
  } catch (error) {
    if (!isProblem(error)) throw error
    await updateAttempt(ctx.db, id, { checks, next_check_at, unreachable_since: attempt.unreachable_since ?? now })
    throw error
  }
}

/** As `checkAttempt`, for a job: the schedule asks again later, instead of the job. */
export async function checkByJob(ctx: Ctx, { attempt_id }: { attempt_id: string }): Promise<void> {
  try {
    await checkAttempt(ctx, attempt_id)
  } catch (error) {
    if (!isProblem(error)) throw error
    ctx.log.warn('payments.unreachable', { attempt_id, problem: error.code })
  }
}

async function ask(ctx: Ctx, attempt: StoredAttempt): Promise<void> {
  const settings = { ...await settingsOf(ctx, attempt.clinic_id), mode: attempt.mode }
  const provider = await providerOf(attempt.provider as Provider['name'])
  // Keys that the clinic has removed meanwhile.
  if (provider.missing({ ...settings, provider: provider.name }).length > 0) throw problem('provider_not_ready')
  const ref = attempt.ref ?? await createAgain()
  await settleAttempt(ctx, attempt.id, await provider.getStatus(ctx, settings, { attempt_id: attempt.id, ref }))

  async function createAgain(): Promise<string> {
    const request = await findRequest(ctx.db, { clinic_id: attempt.clinic_id, id: attempt.request_id })
    if (!request) throw problem('not_found')
    const checkout = await provider.createCheckout(ctx, settings, await orderOf(ctx, { request, attempt }))
    await saveCheckout(ctx.db, attempt.id, checkout.ref)
    return checkout.ref
  }
}
