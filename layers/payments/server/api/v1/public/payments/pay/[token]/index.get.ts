import { defineEndpoint } from '@svc/kit'
import { viewPay } from '#payments/server/services/patient/view-pay.ts'
import { PayView } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'What a patient sees of a payment request by its link.',
  response: PayView,
  problems: ['pay_link_not_found'],
  handle: ({ params: { token = '' } }, ctx) => viewPay(ctx, token)
})
