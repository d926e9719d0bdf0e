import { defineEndpoint } from '@svc/kit'
import { at, by } from '#payments/server/http/requests.ts'
import { getRequest } from '#payments/server/services/requests/get-request.ts'
import { clearAttention } from '#payments/server/services/requests/clear-attention.ts'
import { PaymentRequest } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.write' },
  summary: 'Remove a payment request from the attention list.',
  response: PaymentRequest,
  async handle({ request }, ctx) {
    await clearAttention(ctx, { ...by(request) })
    return await getRequest(ctx, at(request))
  }
})
