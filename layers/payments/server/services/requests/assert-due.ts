import { problem, type Ctx } from '@svc/kit'
import { isPayable } from '../../../shared/domain/request-state.ts'
import type { StoredRequest } from '../../db/requests.ts'
import { endRequest } from './cancel-request.ts'

/**
 * Whether the money is still owed, by the modules that know. The events that end a request come a moment later, and an
 * invoice can be paid at the desk. A request that is not due any more ends. Throws `request_closed`.
 */
export async function assertDue(ctx: Ctx, request: StoredRequest): Promise<void> {
  if (!isPayable(request.state)) throw problem('request_closed')
  const reason = await whyNotDue(ctx, request)
  if (reason === null) return
  await endRequest(ctx, request, reason)
  throw problem('request_closed')
}

export async function whyNotDue(ctx: Ctx, request: StoredRequest) {
  const { clinic_id, budget_id, invoice_id, amount } = request
  if (invoice_id !== null) {
    const invoice = await ctx.use('billing').getInvoice(clinic_id, invoice_id)
    return invoice?.status === 'issued' && invoice.due >= amount ? null : 'settled'
  }
  const budget = await ctx.use('budget').getBudget(clinic_id, budget_id)
  if (budget?.status === 'accepted') return budget.withdrawn_at ? 'withdrawn' : null
  return 'budget_cancelled'
}
