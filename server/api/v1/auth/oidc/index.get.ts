import { reply } from '@svc/kit'
import { startProviderSignIn } from '#host/server/core/people/provider/start.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { ProviderQuery } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Sign in through the provider that the operator has set: leads to its page. With `confirm` it asks again.',
  limit: { name: 'oidc', points: 60, seconds: 60, by: 'address', counts: 'requests' },
  query: ProviderQuery,
  problems: ['not_found', 'provider_unreachable'],
  async handle({ query, request }, host) {
    const { location, cookie } = await startProviderSignIn(host, {
      to: query.to ?? '',
      confirm: query.confirm === 'true'
    })
    return reply({ status: 303, headers: { location }, cookies: request.head ? [] : [cookie] })
  }
})
