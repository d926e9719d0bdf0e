import { defineEndpoint, isProblem, reply } from '@svc/kit'
import { onwardPage } from '#payments/server/http/onward.ts'
import { startCheckout } from '#payments/server/services/attempts/start-checkout.ts'
import { requestOf } from '#payments/server/services/patient/view-pay.ts'
import { PayQuery } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'Begin to pay a request. A form gets a page that leads to the provider, JSON the way there.',
  query: PayQuery,
  status: 200,
  also: { 303: 'A form was refused: to the page of the request, which says why.' },
  raw_body: ['application/x-www-form-urlencoded', 'application/json'],
  max_body: 1000,
  limit: { name: 'checkout', points: 20, seconds: 600, by: 'address+param', param: 'token', counts: 'requests' },
  problems: ['pay_link_not_found', 'request_closed', 'provider_not_ready', 'provider_unreachable', 'provider_refused'],
  async handle({ params: { token = '' }, query: { locale }, body }, ctx) {
    const isForm = body.type !== 'application/json'
    try {
      const request = await requestOf(ctx, token)
      const redirect = await startCheckout(ctx, { request, return_to: null })
      return isForm ? onwardPage(redirect, locale ?? request.locale) : reply({ data: redirect })
    } catch (error) {
      // A person who posted the form reads why on the page of the request.
      if (!isForm || !isProblem(error)) throw error
      const page = `/pay/${encodeURIComponent(token)}${locale === undefined ? '' : `?locale=${locale}`}`
      return reply({ status: 303, headers: { location: page, 'cache-control': 'no-store' } })
    }
  }
})
