import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { by } from '#budget/server/http/staff.ts'
import { cancelBudget } from '#budget/server/services/draft/cancel-budget.ts'
import { BudgetDetail, CancelRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Cancel a draft or a sent version.',
  body: CancelRequest,
  response: BudgetDetail,
  problems: ['wrong_state', 'patient_erased', 'content_tampered'],
  handle: async ({ body, request }, ctx) =>
    answer(await detailOf(ctx, await cancelBudget(ctx, { ...by(request), ...body })))
})
