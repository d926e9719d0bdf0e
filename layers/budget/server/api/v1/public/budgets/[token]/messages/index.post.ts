import { defineEndpoint } from '@svc/kit'
import { needsSession } from '#budget/server/http/patient.ts'
import { linkSession } from '#budget/server/services/link/find-link.ts'
import { askQuestion } from '#budget/server/services/messages/ask-question.ts'
import { MessageRequest, PatientMessage } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: linkSession,
  summary: 'Ask the clinic a question about the budget, whatever its state. 10 in 24 hours at most.',
  status: 201,
  body: MessageRequest,
  response: PatientMessage,
  problems: [...needsSession, 'too_many_requests'],
  handle: ({ body, request }, ctx) => askQuestion(ctx, { ...body, session: request.session, client: request.client })
})
