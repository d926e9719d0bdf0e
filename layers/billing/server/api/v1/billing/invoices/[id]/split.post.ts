import { defineEndpoint } from '@svc/kit'
import { answer, by, ifMatch } from '#billing/server/http/invoices.ts'
import { splitInvoice } from '#billing/server/services/parts/split-invoice.ts'
import { Invoice, SplitRequest } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Move lines of a draft, or parts of their quantities, into a new draft of the same budget.',
  body: SplitRequest,
  response: Invoice,
  status: 201,
  problems: ['wrong_state', 'over_split', 'patient_erased', 'precondition_failed'],
  handle: async ({ body, request }, ctx) =>
    answer(await splitInvoice(ctx, { ...by(request), ...ifMatch(request), ...body }), 201)
})
