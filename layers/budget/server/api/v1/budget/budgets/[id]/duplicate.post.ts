import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { by } from '#budget/server/http/staff.ts'
import { duplicateBudget } from '#budget/server/services/draft/duplicate-budget.ts'
import { BudgetDetail } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Copy a budget into a new draft with a number of its own.',
  response: BudgetDetail,
  status: 201,
  problems: ['patient_erased'],
  handle: async ({ request }, ctx) => answer(await detailOf(ctx, await duplicateBudget(ctx, by(request))), 201)
})
