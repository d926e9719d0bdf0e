import type { Ctx, Tx } from '@svc/kit'
import type { PaymentFact } from '@svc/kit/modules/payments'
import { formatMoney } from '@svc/kit/money'
import type { Attention } from '../../../shared/domain/request-state.ts'
import { updateRequest, type StoredRequest } from '../../db/requests.ts'

/** Members of every event of the module. */
export function factOf({ id, amount, ...request }: StoredRequest): PaymentFact {
  const { clinic_id, kind, budget_id, budget_number, patient_id, currency } = request
  const money = { amount: formatMoney(amount, currency), currency }
  return { clinic_id, request_id: id, kind, budget_id, budget_number, patient_id, ...money }
}

/** Puts the request on the attention list, and says so in an event. */
export async function addAttention(
  ctx: Ctx,
  tx: Tx,
  request: StoredRequest,
  { attempt_id, attention }: { attempt_id: string, attention: Attention }
): Promise<void> {
  const all = [...new Set([...request.attention, attention])]
  await updateRequest(tx, request.id, { attention: all })
  await ctx.events.publish(tx, 'payments.attention', { ...factOf(request), attempt_id, attention }, { key: request.id })
}
