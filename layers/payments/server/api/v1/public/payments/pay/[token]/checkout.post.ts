import { defineEndpoint, reply } from '@svc/kit'
import { onwardPage } from '#payments/server/http/onward.ts'
import { startCheckout } from '#payments/server/services/attempts/start-checkout.ts'
import { requestOf } from '#payments/server/services/patient/view-pay.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'Begin to pay a request. A form gets a page that leads to the provider, JSON the way there.',
  raw_body: ['application/x-www-form-urlencoded', 'application/json'],
  max_body: 1000,
  limit: { name: 'checkout', points: 20, seconds: 600, by: 'address+param', param: 'token', counts: 'requests' },
  problems: ['pay_link_not_found', 'request_closed', 'provider_not_ready', 'provider_unreachable', 'provider_refused'],
  async handle({ params: { token = '' }, body }, ctx) {
    const request = await requestOf(ctx, token)
    const redirect = await startCheckout(ctx, { request, return_to: null })
    return body.type === 'application/json' ? reply({ data: redirect }) : onwardPage(redirect, request.locale)
  }
})
