import { defineEndpoint, type StaffRequest } from '@svc/kit'
import { listAttention } from '#budget/server/services/draft/list-attention.ts'
import { AttentionAnswer } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary:
    'What the staff should look at: budgets that end soon, are locked, were not delivered, or whose signed PDF is late.',
  response: AttentionAnswer,
  handle: ({ request }, ctx) => listAttention(ctx, (request as StaffRequest).actor.clinic_id)
})
