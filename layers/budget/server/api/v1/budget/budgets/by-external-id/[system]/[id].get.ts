import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { getBudgetNamed } from '#budget/server/services/budget/get-budget-named.ts'
import { BudgetDetail } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get the newest version of the budget that another system calls so.',
  response: BudgetDetail,
  handle: async ({ params, request }, ctx) =>
    answer(
      await detailOf(
        ctx,
        await getBudgetNamed(ctx, { clinic_id: request.actor.clinic_id, system: params.system!, id: params.id! })
      )
    )
})
