import type { Ctx } from '@svc/kit'
import type { StoredAttempt } from '../../db/attempts.ts'
import type { StoredRequest } from '../../db/requests.ts'
import type { CheckoutOrder } from '../../providers/provider.ts'
import { publicPath, tokenOf } from '../token.ts'

interface About { request: StoredRequest, attempt: StoredAttempt }

/** The same for the same attempt, as an idempotency key requires. The description names no person and no treatment. */
export async function orderOf(ctx: Ctx, { request, attempt }: About): Promise<CheckoutOrder> {
  const { clinic_id, provider, id: attempt_id, amount, currency } = attempt
  const clinic = await ctx.clinics.get(clinic_id)
  return {
    attempt_id,
    clinic_id,
    amount,
    currency,
    description: `${clinic.name} · ${request.invoice_number ?? request.budget_number}`,
    locale: request.locale,
    return_url: `${ctx.base_url}${publicPath(tokenOf(ctx, request))}/back/${attempt_id}`,
    webhook_url: webhookUrl(ctx, clinic_id, provider)
  }
}

export const webhookUrl = (ctx: Ctx, clinic_id: string, provider: string): string =>
  `${ctx.base_url}/api/v1/public/payments/webhooks/${clinic_id}/${provider}`
