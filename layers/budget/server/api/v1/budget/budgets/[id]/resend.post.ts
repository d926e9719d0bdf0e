import { defineEndpoint } from '@svc/kit'
import { by } from '#budget/server/http/staff.ts'
import { resendLink } from '#budget/server/services/link/resend-link.ts'
import { ResendAnswer, ResendRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Resend the message, with the same link or a new one. If the patient’s address has changed since, it is sent'
    + ' there only with `confirm_address`.',
  body: ResendRequest,
  response: ResendAnswer,
  problems: ['wrong_state', 'patient_erased', 'no_code', 'no_email', 'channel_not_ready', 'address_changed'],
  handle: ({ body, request }, ctx) => resendLink(ctx, { ...by(request), ...body })
})
