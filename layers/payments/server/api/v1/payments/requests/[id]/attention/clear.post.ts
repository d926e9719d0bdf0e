import { defineEndpoint } from '@svc/kit'
import { at, by } from '#payments/server/http/requests.ts'
import { getRequest } from '#payments/server/services/requests/get-request.ts'
import { clearAttention } from '#payments/server/services/requests/clear-attention.ts'
import { ClearRequest, PaymentRequest } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.write' },
  summary: 'Remove the reasons for which a payment request is on the attention list.',
  body: ClearRequest,
  response: PaymentRequest,
  async handle({ body, request }, ctx) {
    await clearAttention(ctx, { ...by(request), ...body })
    return await getRequest(ctx, at(request))
  }
})
