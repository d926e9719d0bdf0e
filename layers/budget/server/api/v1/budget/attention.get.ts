import { defineEndpoint } from '@svc/kit'
import { listAttention } from '#budget/server/services/staff-view/list-attention.ts'
import { AttentionAnswer } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary:
    'What the staff should look at: budgets that end soon, are locked, were not delivered, have a late signed PDF or an'
    + ' open question, or were withdrawn after their invoice was issued.',
  response: AttentionAnswer,
  handle: ({ request }, ctx) => listAttention(ctx, request.actor.clinic_id)
})
