import { defineEndpoint } from '@svc/kit'
import { clinicOfToken } from '#sms/server/services/report-address.ts'
import { takeGatewayReport } from '#sms/server/services/take-gateway-report.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'A gateway reports a delivery, or what a patient has answered.',
  raw_body: ['application/json', 'application/x-www-form-urlencoded'],
  max_body: 20_000,
  limit: [
    { name: 'gateway', points: 3000, seconds: 60, by: 'address', counts: 'requests' },
    { name: 'guesses', points: 20, seconds: 60, by: 'address', counts: 'failures' }
  ],
  async handle({ params: { token = '' }, body, request }, ctx) {
    const clinic_id = await clinicOfToken(ctx, token)
    if (clinic_id === null) {
      await request.countFailure()
      throw ctx.problem('not_found')
    }
    await takeGatewayReport(ctx, { clinic_id, ...body })
  }
})
