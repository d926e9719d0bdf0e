import { openEnrolmentLink } from '#host/server/core/people/factors/enrolment-link.ts'
import { actorOf, byPerson } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { LinkToken } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Open an enrolment link in this session: for half an hour it can add a first second factor.',
  limit: { name: 'enrolment', points: 10, seconds: 60, by: byPerson, counts: 'requests' },
  body: LinkToken,
  problems: ['mailed_token_not_found'],
  handle: ({ body, request }, host) => openEnrolmentLink(host, { token: body.token, actor: actorOf(request) })
})
