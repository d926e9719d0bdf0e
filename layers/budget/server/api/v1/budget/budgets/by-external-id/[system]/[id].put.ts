import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { putBudget } from '#budget/server/services/draft/put-budget.ts'
import { BudgetDetail, CreateRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Change the draft that another system calls so, or create it. Fields that are left out stay.',
  body: CreateRequest,
  response: BudgetDetail,
  also: { 201: 'It was created.' },
  problems: ['wrong_state', 'external_id_taken', 'patient_erased', 'content_tampered', 'precondition_failed', 'discount_exceeds_total', 'price_mode_changed'],
  async handle({ params, body, request }, ctx) {
    const { clinic_id, user_id } = request.actor
    const if_match = request.headers['if-match']
    const { record, is_new } = await putBudget(ctx, { clinic_id, user_id, params, if_match, body })
    return answer(await detailOf(ctx, record), is_new ? 201 : 200)
  }
})
