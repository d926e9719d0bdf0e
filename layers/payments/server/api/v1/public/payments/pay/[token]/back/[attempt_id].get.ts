import { defineEndpoint, reply } from '@svc/kit'
import { returnHome } from '#payments/server/services/patient/return-home.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'The patient comes back from the provider, which is asked then.',
  status: 303,
  limit: { name: 'back', points: 60, seconds: 600, by: 'address+param', param: 'token', counts: 'requests' },
  problems: ['pay_link_not_found'],
  async handle({ params: { token = '', attempt_id = '' } }, ctx) {
    const location = await returnHome(ctx, { token, attempt_id })
    return reply({ status: 303, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })
  }
})
