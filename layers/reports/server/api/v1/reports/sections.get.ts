import { defineEndpoint } from '@svc/kit'
import { collectSections } from '#reports/server/services/collect-sections.ts'
import { ReportSections, SectionsQuery } from '#reports/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'reports.read' },
  summary: 'Get what other modules report of a period, as plain text. Default: the last twelve months.',
  query: SectionsQuery,
  response: ReportSections,
  handle: ({ query, request }, ctx) => collectSections(ctx, { clinic_id: request.actor.clinic_id, ...query })
})
