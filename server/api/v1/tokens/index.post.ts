import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { createClinicToken } from '#host/server/core/people/tokens/clinic-tokens.ts'
import { CreatedToken, NewToken } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  people_only: true,
  summary: 'Make a token for a program of the clinic. Only this answer contains it.',
  body: NewToken,
  response: CreatedToken,
  shown_once: ['token'],
  status: 201,
  problems: ['too_many_tokens', 'too_many_new_tokens'],
  handle: ({ body, request: { actor, client } }, host) => createClinicToken(host, { ...body, actor, client })
})
