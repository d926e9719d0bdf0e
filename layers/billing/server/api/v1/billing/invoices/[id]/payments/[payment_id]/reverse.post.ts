import { defineEndpoint } from '@svc/kit'
import { answer, by } from '#billing/server/http/invoices.ts'
import { reversePayment } from '#billing/server/services/reverse-payment.ts'
import { Invoice, ReversePaymentRequest } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Reverse a payment. It no longer counts, and the amount is due again.',
  body: ReversePaymentRequest,
  response: Invoice,
  problems: ['wrong_state', 'payment_reversed'],
  handle: async ({ params, body, request }, ctx) =>
    answer(await reversePayment(ctx, { ...by(request), payment_id: params.payment_id!.toLowerCase(), ...body }))
})
