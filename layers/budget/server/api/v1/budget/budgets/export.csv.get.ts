import { defineEndpoint, reply } from '@svc/kit'
import { exportBudgets } from '#budget/server/services/export/export-budgets.ts'
import { ExportQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get the list of budgets as CSV.',
  query: ExportQuery,
  handle: async ({ query, request }, ctx) =>
    reply({ csv: await exportBudgets(ctx, { clinic_id: request.actor.clinic_id, ...query }) })
})
