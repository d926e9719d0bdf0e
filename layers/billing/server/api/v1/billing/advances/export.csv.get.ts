import { defineEndpoint, reply } from '@svc/kit'
import { exportAdvances } from '#billing/server/services/advances/export-advances.ts'
import { AdvanceExportQuery } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'Get the list of advances as CSV.',
  query: AdvanceExportQuery,
  handle: async ({ query, request }, ctx) =>
    reply({ csv: await exportAdvances(ctx, { clinic_id: request.actor.clinic_id, ...query }) })
})
