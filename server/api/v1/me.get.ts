import { describeMe, withinToken } from '#host/server/core/people/accounts/me.ts'
import { actorOf, personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Me } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  takes_clinic_token: true,
  summary: 'Get who you are and what you may do.',
  response: Me,
  handle: async ({ request }, host) => withinToken(await describeMe(host, personOf(request)), actorOf(request))
})
