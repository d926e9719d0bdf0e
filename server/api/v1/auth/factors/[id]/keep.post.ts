import { confirmFactor } from '#host/server/core/people/factors/remove-factor.ts'
import { accountOwnerOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Say that a second factor is yours, after the password has changed.',
  problems: ['confirmation_required', 'not_found'],
  handle: ({ params, request }, host) => confirmFactor(host, { ...accountOwnerOf(request), id: params.id! })
})
