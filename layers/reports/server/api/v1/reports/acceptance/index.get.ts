import { defineEndpoint } from '@svc/kit'
import { reportAcceptance } from '#reports/server/services/report-acceptance.ts'
import { AcceptanceQuery, AcceptanceReport } from '#reports/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'reports.read' },
  summary: 'Get the outcome of the budgets sent in a period, by month. Default: the last twelve months.',
  query: AcceptanceQuery,
  response: AcceptanceReport,
  handle: ({ query, request }, ctx) =>
    reportAcceptance(ctx, { clinic_id: request.actor.clinic_id, ...query })
})
