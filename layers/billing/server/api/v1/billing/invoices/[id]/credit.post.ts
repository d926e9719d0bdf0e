import { defineEndpoint } from '@svc/kit'
import { answer, by, ifMatch } from '#billing/server/http/invoices.ts'
import { draftCreditNote } from '#billing/server/services/credits/draft-credit-note.ts'
import { CreditRequest, Invoice } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Draft a credit note of an issued invoice: of some lines, or of all that is not credited yet.',
  body: CreditRequest,
  response: Invoice,
  status: 201,
  problems: ['wrong_state', 'over_credit', 'patient_erased', 'precondition_failed'],
  handle: async ({ body, request }, ctx) =>
    answer(await draftCreditNote(ctx, { ...by(request), ...ifMatch(request), ...body }), 201)
})
