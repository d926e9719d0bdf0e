import { defineEndpoint } from '@svc/kit'
import { answer, budgetAt } from '#billing/server/http/invoices.ts'
import { invoiceDone } from '#billing/server/services/parts/invoice-done.ts'
import { Invoice } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Draft exactly what is done: the done lines of the budget’s drafts move into a draft of their own.',
  response: Invoice,
  problems: ['nothing_done', 'patient_erased'],
  handle: async ({ request }, ctx) => answer(await invoiceDone(ctx, budgetAt(request)))
})
