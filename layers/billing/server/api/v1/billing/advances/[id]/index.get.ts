import { defineEndpoint } from '@svc/kit'
import { answerAdvance } from '#billing/server/http/advances.ts'
import { at } from '#billing/server/http/invoices.ts'
import { getAdvance } from '#billing/server/services/advances/get-advance.ts'
import { Advance } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'Get an advance with the payments that come from it and what was returned.',
  response: Advance,
  handle: async ({ request }, ctx) => answerAdvance(await getAdvance(ctx, at(request)))
})
