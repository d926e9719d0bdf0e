import { answerByMail } from '#host/server/core/people/accounts/memberships.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PendingMembership, MembershipRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary:
    'Show which clinic invites the account, by the emailed token. With `accept`, answer the invitation.',
  body: MembershipRequest,
  response: PendingMembership,
  problems: ['mailed_token_not_found'],
  handle: ({ body, request: { client } }, host) => answerByMail(host, { ...body, client })
})
