import { defineEndpoint } from '@svc/kit'
import { answerAdvance, who } from '#billing/server/http/advances.ts'
import { by, ifMatch } from '#billing/server/http/invoices.ts'
import { returnAdvanceByMember } from '#billing/server/services/advances/return-advance-by-member.ts'
import { Advance, ReturnRequest } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Reverse the balance of an advance or a part of it, which was returned to the patient.',
  body: ReturnRequest,
  response: Advance,
  problems: ['advance_reversed', 'advance_applied', 'over_advance', 'return_id_used', 'precondition_failed'],
  handle: async ({ body, request }, ctx) =>
    answerAdvance(await returnAdvanceByMember(ctx, { ...by(request), ...ifMatch(request), ...who(request), ...body }))
})
