import { endOwnSession } from '#host/server/core/people/sessions/own-sessions.ts'
import { accountOwnerOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Sign out one of your sessions.',
  problems: ['not_found'],
  handle: ({ params, request }, host) => endOwnSession(host, { ...accountOwnerOf(request), id: params.id! })
})
