import { getUser } from '#host/server/core/people/accounts/users.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { User } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'users.manage' },
  summary: 'Get a member of the clinic.',
  response: User,
  handle: ({ params, request }, host) => getUser(host.db, { clinic_id: clinicOf(request), id: params.id! })
})
