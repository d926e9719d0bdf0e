import { reply } from '@svc/kit'
import { finishProviderSignIn } from '#host/server/core/people/provider/finish.ts'
import { providerCookie } from '#host/server/core/people/provider/start.ts'
import { sessionCookie } from '#host/server/core/people/sessions/sessions.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { ProviderCallback } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Where the provider sends the browser back to: the redirect address to register. Leads on, signed in.',
  limit: { name: 'oidc', points: 60, seconds: 60, by: 'address', counts: 'requests' },
  query: ProviderCallback,
  problems: ['not_found', 'provider_refused', 'provider_account_unknown', 'provider_unreachable'],
  async handle({ query, request: { cookies, client } }, host) {
    const { secret, to } = await finishProviderSignIn(host, {
      query: new URLSearchParams(query as Record<string, string>).toString(),
      cookies,
      client
    })
    const location = to ? `/login?to=${encodeURIComponent(to)}` : '/login'
    return reply({ status: 303, headers: { location }, cookies: [sessionCookie(secret), providerCookie('')] })
  }
})
