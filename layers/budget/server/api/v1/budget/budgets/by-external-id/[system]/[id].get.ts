import { defineEndpoint } from '@svc/kit'
import { answer } from '#budget/server/http/staff.ts'
import { getBudgetNamed } from '#budget/server/services/draft/get-budget.ts'
import { BudgetDetail } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get the newest version of the budget that another system calls so.',
  response: BudgetDetail,
  handle: async ({ params, request }, ctx) =>
    answer(await getBudgetNamed(ctx, { clinic_id: request.actor.clinic_id, system: params.system!, id: params.id! }))
})
