import { defineEndpoint } from '@svc/kit'
import { at, by } from '#payments/server/http/requests.ts'
import { getRequest } from '#payments/server/services/requests/get-request.ts'
import { markPaid } from '#payments/server/services/requests/mark-paid.ts'
import { MarkPaidRequest, PaymentRequest } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.write' },
  summary: 'Record that a transfer came, or that the patient paid in cash.',
  body: MarkPaidRequest,
  response: PaymentRequest,
  problems: ['request_closed', 'id_used'],
  async handle({ body, request }, ctx) {
    await markPaid(ctx, { ...by(request), ...body })
    return await getRequest(ctx, at(request))
  }
})
