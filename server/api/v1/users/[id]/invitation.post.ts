import { inviteAgain } from '#host/server/core/people/mail/invite-again.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Invitation } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'users.manage' },
  summary: 'Invite a person again who hasn\'t signed in yet. The earlier link stops working.',
  response: Invitation,
  shown_once: ['url'],
  problems: ['wrong_state', 'too_many_requests'],
  handle: ({ params, request }, host) =>
    inviteAgain(host, { clinic_id: clinicOf(request), id: params.id!, request_id: request.id })
})
