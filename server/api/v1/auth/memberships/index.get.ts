import * as z from 'zod'
import { userOf } from '#host/server/core/people/accounts/me.ts'
import { listAsked } from '#host/server/core/people/accounts/memberships.ts'
import { actorOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PendingMembership } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'List the invitations that wait for your answer.',
  response: z.array(PendingMembership),
  handle: ({ request }, host) => listAsked(host, { user_id: userOf(actorOf(request)) })
})
