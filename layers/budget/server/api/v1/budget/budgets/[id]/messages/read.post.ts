import { defineEndpoint, type StaffRequest } from '@svc/kit'
import { by } from '#budget/server/http/staff.ts'
import { markRead } from '#budget/server/services/messages/answer-question.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Mark the patient’s questions as read, without an answer.',
  status: 204,
  problems: ['wrong_state', 'patient_erased'],
  handle: ({ request }, ctx) => markRead(ctx, by(request as StaffRequest))
})
