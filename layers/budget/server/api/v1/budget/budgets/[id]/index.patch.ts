import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { at } from '#budget/server/http/staff.ts'
import { patchBudget } from '#budget/server/services/draft/patch-budget.ts'
import { BudgetDetail, ChangeRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Change a draft. With If-Match, only if it hasn\'t changed since.',
  body: ChangeRequest,
  response: BudgetDetail,
  problems: ['wrong_state', 'external_id_taken', 'patient_erased', 'content_tampered', 'precondition_failed', 'discount_exceeds_total', 'price_mode_changed'],
  handle: async ({ body, request }, ctx) =>
    answer(
      await detailOf(
        ctx,
        await patchBudget(ctx, { ...at(request), if_match: request.headers['if-match'], change: body })
      )
    )
})
