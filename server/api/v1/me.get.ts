import { reply } from '@svc/kit'
import { describeMe, screenHeaders, withinToken } from '#host/server/core/auth/me.ts'
import { actorOf, personOf } from '#host/server/core/http/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Me } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  takes_clinic_token: true,
  summary: 'Get who you are and what you may do.',
  response: Me,
  async handle({ request }, host) {
    const person = personOf(request)
    const [data, headers] = await Promise.all([describeMe(host, person), screenHeaders(host.db, person)])
    return reply({ data: withinToken(data, actorOf(request)), headers })
  }
})
