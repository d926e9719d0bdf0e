import { changePassword } from '#host/server/core/people/passwords/change-password.ts'
import { userOf } from '#host/server/core/people/accounts/me.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { actorOf, byPerson } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { ChangePasswordRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Change your own password. Your other sessions end.',
  limit: { name: 'password', points: 5, seconds: 60, by: byPerson, counts: 'requests' },
  body: ChangePasswordRequest,
  problems: ['wrong_password'],
  async handle({ body, request }, host) {
    const actor = actorOf(request)
    await changePassword(host, { actor, current: body.current, next: body.new, client: request.client })
    notifyPerson(host, { user_id: userOf(actor), what: 'password_changed', request_id: request.id })
  }
})
