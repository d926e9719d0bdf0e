import { defineEndpoint, reply } from '@svc/kit'
import { exportInvoices } from '#billing/server/services/export-invoices.ts'
import { InvoiceExportQuery } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'Get the list of invoices as CSV.',
  query: InvoiceExportQuery,
  handle: async ({ query, request }, ctx) =>
    reply({ csv: await exportInvoices(ctx, { clinic_id: request.actor.clinic_id, ...query }) })
})
