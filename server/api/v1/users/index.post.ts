import { addUser } from '#host/server/core/people/accounts/add-user.ts'
import { clinicOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { AddedUser, NewUser } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'users.manage' },
  summary:
    'Add a member to the clinic. Without a password an invitation is mailed; where no mail left, the answer has its link. The holder of an account is asked by mail, and is no member before they agree.',
  body: NewUser,
  response: AddedUser,
  shown_once: ['invitation.url'],
  status: 201,
  problems: ['user_exists', 'too_many_requests'],
  handle: ({ body, request }, host) =>
    addUser(host, { ...body, clinic_id: clinicOf(request) }, { id: request.id, ...whoOf(request) })
})
