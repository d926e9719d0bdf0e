import { defineEndpoint } from '@svc/kit'
import { at, by } from '#payments/server/http/requests.ts'
import { getRequest } from '#payments/server/services/requests/get-request.ts'
import { cancelRequest } from '#payments/server/services/requests/cancel-request.ts'
import { CancelRequest, PaymentRequest } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.write' },
  summary: 'Cancel a payment request. Money that still comes is recorded, and needs attention.',
  body: CancelRequest,
  response: PaymentRequest,
  problems: ['request_closed'],
  async handle({ body, request }, ctx) {
    await cancelRequest(ctx, { ...by(request), ...body })
    return await getRequest(ctx, at(request))
  }
})
