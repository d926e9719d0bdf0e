import { defineEndpoint } from '@svc/kit'
import { answer, by } from '#billing/server/http/invoices.ts'
import { recordPayment } from '#billing/server/services/record-payment.ts'
import { Invoice, PaymentRequest } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Record a payment of an issued invoice. The invoice is paid when nothing is due any more.',
  body: PaymentRequest,
  response: Invoice,
  status: 201,
  problems: ['wrong_state', 'over_payment', 'payment_id_used'],
  handle: async ({ body, request }, ctx) => answer(await recordPayment(ctx, { ...by(request), payment: body }), 201)
})
