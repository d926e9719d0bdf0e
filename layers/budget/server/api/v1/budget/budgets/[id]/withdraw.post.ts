import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { by } from '#budget/server/http/staff.ts'
import { withdrawBudget } from '#budget/server/services/decision/withdraw-budget.ts'
import { BudgetDetail, WithdrawRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Record that the acceptance is withdrawn. Its record and signed PDF stay.',
  body: WithdrawRequest,
  response: BudgetDetail,
  problems: ['wrong_state', 'already_withdrawn', 'patient_erased'],
  handle: async ({ body, request }, ctx) =>
    answer(await detailOf(ctx, await withdrawBudget(ctx, { ...by(request), ...body })))
})
