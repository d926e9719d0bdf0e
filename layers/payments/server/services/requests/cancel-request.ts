import { isId, problem } from '@svc/kit'
import type { Actor, AuditActor, Client, Ctx, Tx } from '@svc/kit'
import { isPayable } from '../../../shared/domain/request-state.ts'
import { findDeposit, findRequest, findRequestLocked, updateRequest, type RequestKey, type StoredRequest } from '../../db/requests.ts'
import { factOf } from './facts.ts'

/** For the audit log. */
export interface Who { actor: Actor | AuditActor, client: Client | null }

/** `settled`: the invoice was paid in another way, or cancelled. */
export type EndReason = 'withdrawn' | 'budget_cancelled' | 'settled'

/**
 * The staff cancel a request. Money that still comes is recorded, and needs attention. Throws `not_found`,
 * `request_closed`.
 */
export async function cancelRequest(
  ctx: Ctx,
  { reason, user_id, who, ...key }: RequestKey & { reason: string, user_id: string, who: Who }
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const request = isId(key.id) ? await findRequestLocked(tx, key) : null
    if (!request) throw problem('not_found')
    if (!isPayable(request.state)) throw problem('request_closed')
    await cancel(ctx, tx, request, { reason, by: user_id })
    await recordChange(ctx, tx, request, who, 'cancelled')
  })
}

/** Ends a request that is not due any more, and returns it; nothing happens to one that has ended. */
export async function endRequest(
  ctx: Ctx,
  { clinic_id, id }: RequestKey,
  reason: EndReason
): Promise<StoredRequest | null> {
  return await ctx.db.transaction(async (tx) => {
    const request = await findRequestLocked(tx, { clinic_id, id })
    if (request && isPayable(request.state)) await cancel(ctx, tx, request, { reason, by: null })
    return await findRequest(tx, { clinic_id, id })
  })
}

/** The deposit of a withdrawn or cancelled budget is not due any more. */
export async function endDeposit(
  ctx: Ctx,
  { clinic_id, budget_id }: { clinic_id: string, budget_id: string },
  reason: EndReason
): Promise<void> {
  const request = await findDeposit(ctx.db, { clinic_id, budget_id })
  if (request) await endRequest(ctx, request, reason)
}

async function cancel(
  ctx: Ctx,
  tx: Tx,
  request: StoredRequest,
  { reason, by }: { reason: string, by: string | null }
): Promise<void> {
  const now = await ctx.clock.now(tx)
  await updateRequest(tx, request.id, {
    state: 'cancelled', cancelled_at: now, ended_at: now, cancelled_by: by, cancel_reason: reason
  })
  await ctx.events.publish(tx, 'payments.cancelled', { ...factOf(request), reason }, { key: request.id })
}

/** A row of the audit log, without amounts. Call it as the last statement of the transaction. */
export const recordChange = (
  ctx: Ctx,
  tx: Tx,
  { id, clinic_id }: StoredRequest,
  who: Who,
  field: 'requested' | 'cancelled' | 'paid' | 'refunded' | 'attention' | 'amount'
) =>
  ctx.audit.record(tx, {
    clinic_id,
    ...who,
    action: 'record_changed',
    target: { kind: 'payment_request', id },
    detail: { fields: [field] }
  })
