import { describeScreen } from '#host/server/core/people/accounts/describe-screen.ts'
import { actorOf, personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Screen } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Get what your screens need: your language, settings of your clinic, and a second factor that is due.',
  response: Screen,
  handle: ({ request }, host) => describeScreen(host, personOf(request), actorOf(request))
})
