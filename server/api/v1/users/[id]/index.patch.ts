import { changeUser } from '#host/server/core/users/users.ts'
import { clinicOf, whoOf } from '#host/server/core/http/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { User, UserChange } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'users.manage' },
  summary: 'Change a member\'s role, or deactivate them.',
  body: UserChange,
  response: User,
  problems: ['last_admin'],
  handle: ({ params, body, request }, host) =>
    changeUser(host, { clinic_id: clinicOf(request), id: params.id!, change: body, who: whoOf(request) })
})
