import { defineEndpoint } from '@svc/kit'
import { by } from '#budget/server/http/staff.ts'
import { answerQuestion } from '#budget/server/services/messages/answer-question.ts'
import { AnswerRequest, StaffMessage } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Write to the patient, who gets a notice by email. Questions up to `seen`, or all, count as answered.',
  status: 201,
  body: AnswerRequest,
  response: StaffMessage,
  problems: ['wrong_state', 'patient_erased'],
  handle: ({ body, request }, ctx) => answerQuestion(ctx, { ...body, ...by(request) })
})
