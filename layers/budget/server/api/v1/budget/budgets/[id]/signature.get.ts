import { defineEndpoint } from '@svc/kit'
import { at } from '#budget/server/http/staff.ts'
import { getSignature } from '#budget/server/services/decision/get-signature.ts'
import { SignatureRecord } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'Get the signature record of the decision.',
  response: SignatureRecord,
  handle: ({ request }, ctx) => getSignature(ctx, at(request))
})
