import { defineEndpoint } from '@svc/kit'
import { answer, at } from '#budget/server/http/staff.ts'
import { getBudget } from '#budget/server/services/draft/get-budget.ts'
import { BudgetDetail } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get a version of a budget: priced lines, totals, link, decision, versions.',
  response: BudgetDetail,
  handle: async ({ request }, ctx) => answer(await getBudget(ctx, at(request)))
})
