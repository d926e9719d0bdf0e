import { defineEndpoint } from '@svc/kit'
import { answer, at } from '#billing/server/http/invoices.ts'
import { getInvoice } from '#billing/server/services/get-invoice.ts'
import { Invoice } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'Get an invoice with its lines, taxes and payments.',
  response: Invoice,
  handle: async ({ request }, ctx) => answer(await getInvoice(ctx, at(request)))
})
