import { defineEndpoint } from '@svc/kit'
import { at, by } from '#payments/server/http/requests.ts'
import { getRequest } from '#payments/server/services/requests/get-request.ts'
import { requestRefund } from '#payments/server/services/refunds/request-refund.ts'
import { RefundRequest, PaymentRequest } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.write' },
  summary: 'Refund a payment, in whole or in part. The answer of the provider decides.',
  body: RefundRequest,
  response: PaymentRequest,
  problems: ['request_closed', 'over_refund', 'id_used'],
  async handle({ body, request }, ctx) {
    await requestRefund(ctx, { ...by(request), ...body })
    return await getRequest(ctx, at(request))
  }
})
