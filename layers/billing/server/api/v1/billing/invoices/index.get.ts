import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listInvoices } from '#billing/server/services/list-invoices.ts'
import { InvoiceQuery, InvoiceRow } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'List the clinic\'s invoices, with the number in each state.',
  query: InvoiceQuery,
  response: z.array(InvoiceRow),
  async handle({ query, request }, ctx) {
    const { rows, ...counted } = await listInvoices(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { ...counted, page: query.page, page_size: query.page_size })
  }
})
