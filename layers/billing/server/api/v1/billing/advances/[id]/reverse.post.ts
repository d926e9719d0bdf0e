import { defineEndpoint } from '@svc/kit'
import { answerAdvance, who } from '#billing/server/http/advances.ts'
import { by, ifMatch } from '#billing/server/http/invoices.ts'
import { returnAdvance } from '#billing/server/services/advances/return-advance.ts'
import { Advance, ReturnRequest } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.write' },
  summary: 'Reverse the balance of an advance or a part of it, which was returned to the patient.',
  body: ReturnRequest,
  response: Advance,
  problems: ['advance_reversed', 'advance_applied', 'over_advance', 'return_id_used', 'precondition_failed'],
  handle: async ({ body, request }, ctx) =>
    answerAdvance(await returnAdvance(ctx, { ...by(request), ...ifMatch(request), ...who(request), ...body }))
})
