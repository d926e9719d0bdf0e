import { defineEndpoint } from '@svc/kit'
import { by } from '#budget/server/http/staff.ts'
import { sendBudget } from '#budget/server/services/link/send-budget.ts'
import { SendAnswer, SendRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Send a draft. The answer has the link, and for a person the code if it was generated now.',
  body: SendRequest,
  response: SendAnswer,
  shown_once: ['public_code'],
  problems: [
    'wrong_state',
    'no_lines',
    'no_professional',
    'validity_passed',
    'no_email',
    'channel_not_ready',
    'message_contains_code',
    'content_tampered',
    'clauses_failed',
    'too_many_clauses'
  ],
  handle: ({ body, request }, ctx) => sendBudget(ctx, { ...by(request), ...body })
})
