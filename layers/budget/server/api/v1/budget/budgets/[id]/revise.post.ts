import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { by } from '#budget/server/http/staff.ts'
import { reviseBudget } from '#budget/server/services/draft/revise-budget.ts'
import { BudgetDetail } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Create the next version as a draft. This version stays open until that one is sent.',
  response: BudgetDetail,
  status: 201,
  problems: ['wrong_state', 'patient_erased'],
  handle: async ({ request }, ctx) => answer(await detailOf(ctx, await reviseBudget(ctx, by(request))), 201)
})
