import { defineEndpoint, reply } from '@svc/kit'
import { exportPayments } from '#billing/server/services/export-payments.ts'
import { PaymentExportQuery } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'Get the payments of the invoices that these filters list, as CSV.',
  query: PaymentExportQuery,
  handle: async ({ query, request }, ctx) =>
    reply({ csv: await exportPayments(ctx, { clinic_id: request.actor.clinic_id, ...query }) })
})
