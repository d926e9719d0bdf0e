import { defineEndpoint } from '@svc/kit'
import { at, by } from '#payments/server/http/requests.ts'
import { getRequest } from '#payments/server/services/requests/get-request.ts'
import { mailAgain } from '#payments/server/services/messages/mail-link.ts'
import { PaymentRequest } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.write' },
  summary: 'Send the link by email again.',
  response: PaymentRequest,
  problems: ['request_closed'],
  async handle({ request }, ctx) {
    await mailAgain(ctx, { ...by(request) })
    return await getRequest(ctx, at(request))
  }
})
