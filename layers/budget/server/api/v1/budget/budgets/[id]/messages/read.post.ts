import { defineEndpoint } from '@svc/kit'
import { by } from '#budget/server/http/staff.ts'
import { markRead } from '#budget/server/services/messages/answer-question.ts'
import { MarkReadRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Mark the patient’s questions as read, without an answer: those up to `seen`, or all.',
  status: 204,
  body: MarkReadRequest,
  problems: ['wrong_state', 'patient_erased'],
  handle: ({ body, request }, ctx) => markRead(ctx, { ...body, ...by(request) })
})
