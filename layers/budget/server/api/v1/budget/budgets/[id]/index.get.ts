import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { at } from '#budget/server/http/staff.ts'
import { getStaffBudget } from '#budget/server/services/budget/get-staff-budget.ts'
import { BudgetDetail } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get a version of a budget: priced lines, totals, link, decision, versions.',
  response: BudgetDetail,
  handle: async ({ request }, ctx) => answer(await detailOf(ctx, await getStaffBudget(ctx.db, at(request))))
})
