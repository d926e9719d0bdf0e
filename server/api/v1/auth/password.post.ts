import { changePassword } from '#host/server/core/auth/change-password.ts'
import { userOf } from '#host/server/core/auth/me.ts'
import { notifyPerson } from '#host/server/core/users/notices.ts'
import { actorOf, byPerson } from '#host/server/core/http/callers.ts'
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
    await changePassword(host, { actor: actorOf(request), current: body.current, next: body.new })
    notifyPerson(host, { user_id: userOf(actorOf(request)), what: 'password_changed', request_id: request.id })
  }
})
