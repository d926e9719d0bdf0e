import { changePassword } from '#host/server/core/auth/change-password.ts'
import { actorOf } from '#host/server/core/http/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { ChangePasswordRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  summary: 'Change your own password. Your other sessions end.',
  limit: {
    name: 'password',
    points: 5,
    seconds: 60,
    by: request => request.actor?.user_id ?? 'token',
    counts: 'requests'
  },
  body: ChangePasswordRequest,
  problems: ['wrong_password'],
  handle: ({ body, request }, host) =>
    changePassword(host, { actor: actorOf(request), current: body.current, next: body.new, client: request.client })
})
