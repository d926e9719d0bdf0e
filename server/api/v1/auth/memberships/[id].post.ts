import { userOf } from '#host/server/core/people/accounts/me.ts'
import { answerSignedIn } from '#host/server/core/people/accounts/memberships.ts'
import { actorOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PendingMembership, MembershipAnswer } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Accept or decline a clinic\'s invitation.',
  body: MembershipAnswer,
  response: PendingMembership,
  problems: ['not_found', 'account_unproven'],
  handle: ({ params, body, request }, host) =>
    answerSignedIn(host, {
      user_id: userOf(actorOf(request)),
      clinic_id: params.id!,
      client: request.client,
      ...body
    })
})
