import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { createBudget } from '#budget/server/services/draft/create-budget.ts'
import { BudgetDetail, CreateRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Create a draft. It gets the next number of the year.',
  body: CreateRequest,
  response: BudgetDetail,
  status: 201,
  problems: ['external_id_taken', 'discount_exceeds_total', 'price_mode_changed'],
  async handle({ body, request }, ctx) {
    const { clinic_id, user_id } = request.actor
    return answer(await detailOf(ctx, await createBudget(ctx, { ...body, clinic_id, user_id })), 201)
  }
})
