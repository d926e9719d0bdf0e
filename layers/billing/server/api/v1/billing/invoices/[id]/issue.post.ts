import { defineEndpoint } from '@svc/kit'
import { answer, by, ifMatch } from '#billing/server/http/invoices.ts'
import { issueInvoice } from '#billing/server/services/issue-invoice.ts'
import { Invoice, IssueRequest } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Issue a draft of an invoice or credit note. It gets the next number of the year and can no longer be changed.',
  body: IssueRequest,
  response: Invoice,
  problems: ['wrong_state', 'precondition_failed', 'patient_erased'],
  handle: async ({ body, request }, ctx) =>
    answer(await issueInvoice(ctx, { ...by(request), ...ifMatch(request), ...body }))
})
