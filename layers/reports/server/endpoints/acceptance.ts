import { defineEndpoint, type StaffRequest } from '@svc/kit'
import { AcceptanceQuery, AcceptanceReport } from '../../shared/contract.ts'
import { reportAcceptance } from '../services/report-acceptance.ts'

export const acceptanceEndpoint = defineEndpoint({
  method: 'get',
  path: '/reports/acceptance',
  access: { permission: 'reports.read' },
  summary: 'What became of the budgets that were sent in a period, by month; without one the last twelve months.',
  query: AcceptanceQuery,
  response: AcceptanceReport,
  handle: ({ query, request }: { query: AcceptanceQuery, request: StaffRequest }, ctx) =>
    reportAcceptance(ctx, { clinic_id: request.actor.clinic_id, ...query })
})
