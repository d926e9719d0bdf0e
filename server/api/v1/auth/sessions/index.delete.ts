import { endOtherSessions } from '#host/server/core/auth/own-sessions.ts'
import { doerOf } from '#host/server/core/http/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Sign out everywhere but here.',
  handle: ({ request }, host) => endOtherSessions(host, doerOf(request))
})
