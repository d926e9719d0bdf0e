import { defineEndpoint } from '@svc/kit'
import { by } from '#budget/server/http/staff.ts'
import { setPublicCode } from '#budget/server/services/link/set-public-code.ts'
import { SetCodeAnswer, SetCodeRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  people_only: true,
  summary: 'Set or generate the code. Open sessions of the link end. A program knows the link, so it never gets the code.',
  body: SetCodeRequest,
  response: SetCodeAnswer,
  shown_once: ['public_code'],
  problems: ['wrong_state', 'patient_erased'],
  handle: ({ body, request }, ctx) => setPublicCode(ctx, { ...by(request), code: body.code })
})
