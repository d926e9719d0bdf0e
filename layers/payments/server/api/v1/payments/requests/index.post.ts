import { defineEndpoint, reply } from '@svc/kit'
import { by } from '#payments/server/http/requests.ts'
import { getRequest } from '#payments/server/services/requests/get-request.ts'
import { requestPayment } from '#payments/server/services/requests/request-payment.ts'
import { NewRequest, PaymentRequest } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.write' },
  summary: 'Request the payment of an issued invoice. The patient gets a link by email.',
  body: NewRequest,
  response: PaymentRequest,
  status: 201,
  problems: ['wrong_state', 'over_due', 'id_used'],
  async handle({ body, request }, ctx) {
    const id = await requestPayment(ctx, { ...by(request), ...body })
    return reply({ status: 201, data: await getRequest(ctx, { clinic_id: request.actor.clinic_id, id }) })
  }
})
