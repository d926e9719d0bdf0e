import { defineEndpoint } from '@svc/kit'
import { answer, by, ifMatch } from '#billing/server/http/invoices.ts'
import { cancelInvoice } from '#billing/server/services/cancel-invoice.ts'
import { CancelInvoiceRequest, Invoice } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Cancel a draft, or issue a credit note of all that is left of an issued invoice without payments.',
  body: CancelInvoiceRequest,
  response: Invoice,
  problems: ['wrong_state', 'over_credit', 'patient_erased', 'precondition_failed'],
  handle: async ({ body, request }, ctx) =>
    answer(await cancelInvoice(ctx, { ...by(request), ...ifMatch(request), ...body }))
})
