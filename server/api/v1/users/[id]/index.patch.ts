import { changeUser } from '#host/server/core/people/accounts/users.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { clinicOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { User, UserChange } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'users.manage' },
  summary: 'Change a member\'s role, or deactivate them.',
  body: UserChange,
  response: User,
  problems: ['last_admin'],
  async handle({ params, body, request }, host) {
    const clinic_id = clinicOf(request)
    const asked = { clinic_id, id: params.id!, change: body, who: whoOf(request) }
    const { notice, ...user } = await changeUser(host, asked)
    if (notice) notifyPerson(host, { user_id: user.id, what: notice, clinic_id, request_id: request.id })
    return user
  }
})
