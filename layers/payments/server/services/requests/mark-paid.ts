import { isId, problem, type Ctx } from '@svc/kit'
import type { MarkPaidRequest } from '../../../shared/contract.ts'
import { isPayable } from '../../../shared/domain/request-state.ts'
import { findAttempt, insertAttempt } from '../../db/attempts.ts'
import { findRequestLocked, type RequestKey } from '../../db/requests.ts'
import { settingsOf } from '../../settings.ts'
import { settle } from '../attempts/settle-attempt.ts'
import { recordChange, type Who } from './cancel-request.ts'
import { invalid } from './read-amount.ts'

type Input = RequestKey & MarkPaidRequest & { user_id: string, who: Who }

/**
 * “Mark as paid”: the staff saw the transfer, or took the cash. With `again` also for a request that is paid or
 * cancelled: the money is recorded, and needs attention. Throws `not_found`, `request_closed`, `id_used`.
 */
export async function markPaid(ctx: Ctx, input: Input): Promise<void> {
  const { clinic_id, id, method, reference, again, payment_id, user_id, who } = input
  const { mode } = await settingsOf(ctx, clinic_id)
  await ctx.db.transaction(async (tx) => {
    const request = isId(id) ? await findRequestLocked(tx, { clinic_id, id }) : null
    if (!request) throw problem('not_found')
    const known = payment_id === undefined ? null : await findAttempt(tx, payment_id)
    if (known) {
      if (known.request_id !== id || known.method !== method) throw problem('id_used')
      return
    }
    if (!isPayable(request.state) && !again) throw problem('request_closed')
    const now = await ctx.clock.now(tx)
    const paid_at = input.paid_at === undefined ? now : new Date(input.paid_at)
    if (paid_at > now) throw invalid('/paid_at', 'Must not be in the future.')
    const { amount, currency } = request
    const attempt = await insertAttempt(tx, {
      ...payment_id === undefined ? {} : { id: payment_id },
      request_id: id, clinic_id, provider: 'manual', mode, amount, currency, created_at: now, created_by: user_id
    })
    if (!attempt) throw problem('id_used')
    await settle(ctx, tx, { request, attempt }, {
      state: 'paid', amount, currency, paid_at, payment_ref: reference ?? null, method
    })
    await recordChange(ctx, tx, request, who, 'paid')
  })
}
