import { defineEndpoint } from '@svc/kit'
import { listAttention } from '#payments/server/services/requests/list-requests.ts'
import { AttentionAnswer } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.read' },
  summary: 'Payments that need attention: of another amount, a second time, after the end, or a refused refund.',
  response: AttentionAnswer,
  handle: ({ request }, ctx) => listAttention(ctx, request.actor.clinic_id)
})
