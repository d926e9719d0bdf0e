import { endOtherSessions } from '#host/server/core/people/sessions/own-sessions.ts'
import { accountOwnerOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Sign out everywhere but here.',
  handle: ({ request }, host) => endOtherSessions(host, accountOwnerOf(request))
})
