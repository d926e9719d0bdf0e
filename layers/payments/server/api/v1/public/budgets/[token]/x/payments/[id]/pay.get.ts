import { defineEndpoint, isProblem, problem, reply } from '@svc/kit'
import { leadOn } from '#payments/server/http/onward.ts'
import { startCheckout } from '#payments/server/services/attempts/start-checkout.ts'
import { depositOfSession } from '#payments/server/services/patient/deposit-of-session.ts'
import { payPath } from '#payments/server/services/token.ts'
import { settingsOf } from '#payments/server/settings.ts'
import { PayQuery } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: 'budget.link',
  summary: 'Lead the patient to the page where the deposit is paid.',
  query: PayQuery,
  status: 303,
  also: { 200: 'A page that posts the fields of the provider.' },
  limit: { name: 'pay', points: 20, seconds: 600, by: 'address+param', param: 'token', counts: 'requests' },
  problems: ['request_closed', 'provider_not_ready', 'provider_unreachable', 'provider_refused'],
  async handle({ params: { token = '', id = '' }, query: { locale }, request: { session, head } }, ctx) {
    const deposit = await depositOfSession(ctx, { ...session, id })
    const { provider } = await settingsOf(ctx, session.clinic_id)
    if (head) throw problem('method_not_allowed')
    const language = locale === undefined ? '' : `?locale=${locale}`
    const page = `${payPath(ctx, deposit)}${language}`
    if (provider === 'transfer') return reply({ status: 303, headers: { location: page } })
    const return_to = `/p/budget/${encodeURIComponent(token)}${language}`
    // A person who followed the link reads why on the page of the request.
    const redirect = await startCheckout(ctx, { request: deposit, return_to }).catch((error) => {
      throw isProblem(error) ? problem(error.code, { ...error.fields, see_other: page }) : error
    })
    return leadOn(redirect, locale ?? deposit.locale)
  }
})
