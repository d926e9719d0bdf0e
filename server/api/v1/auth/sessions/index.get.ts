import { listOwnSessions } from '#host/server/core/people/sessions/own-sessions.ts'
import { actorOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { OwnSession } from '#host/shared/contract.ts'
import * as z from 'zod'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'List where you are signed in.',
  response: z.array(OwnSession),
  handle: ({ request }, host) => listOwnSessions(host, actorOf(request))
})
