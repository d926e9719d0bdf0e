import { reply } from '@svc/kit'
import { userOf } from '#host/server/core/people/accounts/me.ts'
import { endSession, noSessionCookie } from '#host/server/core/people/sessions/sessions.ts'
import { actorOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Sign out: end this session on the server.',
  async handle({ request }, host) {
    userOf(actorOf(request))
    await endSession(host.db, actorOf(request).session!.hash)
    return reply({ status: 204, cookies: [noSessionCookie()] })
  }
})
