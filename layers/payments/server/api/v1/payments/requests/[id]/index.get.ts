import { defineEndpoint } from '@svc/kit'
import { at } from '#payments/server/http/requests.ts'
import { getRequest } from '#payments/server/services/requests/get-request.ts'
import { PaymentRequest } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.read' },
  summary: 'A payment request with its attempts and refunds.',
  response: PaymentRequest,
  handle: ({ request }, ctx) => getRequest(ctx, at(request))
})
