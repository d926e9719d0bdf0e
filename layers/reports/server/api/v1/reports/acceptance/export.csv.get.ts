import { defineEndpoint, reply } from '@svc/kit'
import { exportAcceptance } from '#reports/server/services/export-acceptance.ts'
import { AcceptanceQuery } from '#reports/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'reports.read' },
  summary: 'Get the outcome of the budgets sent in a period as CSV, a row for each month.',
  query: AcceptanceQuery,
  handle: async ({ query, request }, ctx) =>
    reply({ csv: await exportAcceptance(ctx, { clinic_id: request.actor.clinic_id, ...query }) })
})
