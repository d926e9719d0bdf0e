import { defineEndpoint } from '@svc/kit'
import { answerAdvance, who } from '#billing/server/http/advances.ts'
import { recordAdvanceByMember } from '#billing/server/services/advances/record-advance-by-member.ts'
import { Advance, AdvanceRequest } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Record a payment that comes before the invoice. Its receipt gets the next number of the year.',
  body: AdvanceRequest,
  response: Advance,
  status: 201,
  problems: ['wrong_state', 'patient_erased', 'advance_id_used'],
  handle: async ({ body, request }, ctx) => {
    const { clinic_id, user_id } = request.actor
    const input = { clinic_id, user_id, ...who(request), advance: body }
    return answerAdvance(await recordAdvanceByMember(ctx, input), 201)
  }
})
