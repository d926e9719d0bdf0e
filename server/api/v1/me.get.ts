import { reply } from '@svc/kit'
import { describeMe, screenHeaders, withinToken } from '#host/server/core/people/accounts/me.ts'
import { actorOf, personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Me } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  takes_clinic_token: true,
  summary: 'Get who you are and what you may do.',
  response: Me,
  async handle({ request }, host) {
    const person = personOf(request)
    const [data, headers] = await Promise.all([describeMe(host, person), screenHeaders(host.db, person)])
    const { factor_due, factors_to_review } = actorOf(request)
    const due: Record<string, string> = factor_due ? { 'second-factor-due': factor_due.until.toISOString() } : {}
    if (factor_due?.overdue) due['second-factor-overdue'] = 'true'
    if (factors_to_review) due['factor-review'] = 'true'
    return reply({ data: withinToken(data, actorOf(request)), headers: { ...headers, ...due } })
  }
})
