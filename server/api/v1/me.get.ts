import { reply } from '@svc/kit'
import { accentOf, describeMe } from '#host/server/core/auth/me.ts'
import { personOf } from '#host/server/core/http/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Me } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  summary: 'Who the caller is, and what they may do.',
  response: Me,
  async handle({ request }, host) {
    const [data, accent] = await Promise.all([
      describeMe(host, personOf(request)),
      accentOf(host.db, personOf(request).clinic_id)
    ])
    return reply({ data, headers: accent ? { 'accent-color': accent } : {} })
  }
})
