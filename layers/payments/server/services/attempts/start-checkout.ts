import { isProblem, problem, type Ctx } from '@svc/kit'
import { isPayable } from '../../../shared/domain/request-state.ts'
import { insertAttempt, saveCheckout, updateAttempt } from '../../db/attempts.ts'
import { findRequestLocked, updateRequest, type StoredRequest } from '../../db/requests.ts'
import { readyProvider } from '../../providers/index.ts'
import type { Redirect } from '../../providers/provider.ts'
import { settingsOf } from '../../settings.ts'
import { dueAmount, fitToDue, lowerTo } from '../requests/fit-to-due.ts'
import { orderOf } from './order.ts'
import { settleAttempt, type Decided } from './settle-attempt.ts'

/** Sealed, because it has the token of a link. */
const RETURN = 'payments return'
export const openReturn = (ctx: Ctx, sealed: string): string => Buffer.from(ctx.secrets.open(RETURN, sealed)).toString()

const FIRST_CHECK_MS = 60_000
/** There is no checkout that could be paid. */
const REFUSED: Decided = {
  state: 'failed', amount: null, currency: null, paid_at: null, payment_ref: null, method: 'other'
}

/**
 * Makes an attempt, and returns the way to the provider's page. The attempt is stored before the provider is called:
 * if the process ends in between, the schedule asks for it. `return_to`: a path of this instance where the patient came
 * from. Throws `request_closed`, `provider_not_ready`, `provider_unreachable`.
 */
export async function startCheckout(
  ctx: Ctx,
  { request: known, return_to }: { request: StoredRequest, return_to: string | null }
): Promise<Redirect> {
  const { clinic_id, id } = known
  if (!isPayable((await fitToDue(ctx, known)).state)) throw problem('request_closed')
  const settings = await settingsOf(ctx, clinic_id)
  const provider = await readyProvider(settings)
  // A transfer begins at the patient's own bank and needs no page of a provider.
  if (provider.name === 'transfer') throw problem('provider_not_ready')
  const { request, attempt } = await ctx.db.transaction(async (tx) => {
    const locked = await findRequestLocked(tx, { clinic_id, id })
    if (!locked || !isPayable(locked.state)) throw problem('request_closed')
    const amount = await dueAmount(ctx, tx, locked)
    if (amount === null) throw problem('request_closed')
    const request = { ...locked, amount }
    const now = await ctx.clock.now(tx)
    const attempt = await insertAttempt(tx, {
      request_id: id,
      clinic_id,
      provider: settings.provider,
      mode: settings.mode,
      amount,
      currency: request.currency,
      return_to: return_to === null ? null : ctx.secrets.seal(RETURN, return_to),
      created_at: now,
      next_check_at: new Date(now.getTime() + FIRST_CHECK_MS)
    })
    if (request.state !== 'pending') await updateRequest(tx, id, { state: 'pending' })
    await lowerTo(ctx, tx, locked, amount)
    return { request, attempt: attempt! }
  })
  try {
    const { ref, redirect } = await provider.createCheckout(ctx, settings, await orderOf(ctx, { request, attempt }))
    await saveCheckout(ctx.db, attempt.id, ref)
    return redirect
  } catch (error) {
    if (isProblem(error) && error.code === 'provider_refused') await settleAttempt(ctx, attempt.id, REFUSED)
    else await updateAttempt(ctx.db, attempt.id, { unreachable_since: await ctx.clock.now() })
    throw error
  }
}
