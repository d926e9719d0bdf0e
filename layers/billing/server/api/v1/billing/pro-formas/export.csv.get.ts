import { defineEndpoint, reply } from '@svc/kit'
import { exportProFormas } from '#billing/server/services/export-pro-formas.ts'
import { PaymentExportQuery } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'Get the lines of the pro formas that these filters list as CSV, for the program that issues the invoices.',
  query: PaymentExportQuery,
  handle: async ({ query, request }, ctx) =>
    reply({ csv: await exportProFormas(ctx, { clinic_id: request.actor.clinic_id, ...query }) })
})
