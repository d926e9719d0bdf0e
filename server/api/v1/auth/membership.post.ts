import { answerByMail } from '#host/server/core/users/memberships.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { AskedMembership, MembershipRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary:
    'With the token that was mailed to the holder of an account: which clinic asks; with `accept` the answer to it.',
  body: MembershipRequest,
  response: AskedMembership,
  problems: ['mailed_token_not_found'],
  handle: ({ body }, host) => answerByMail(host, body)
})
