import { defineEndpoint, isId } from '@svc/kit'
import { readSigned } from '#sms/server/http/read-signed.ts'
import { takeTwilioReport } from '#sms/server/services/take-twilio-report.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'Twilio reports what became of a message.',
  raw_body: ['application/x-www-form-urlencoded'],
  max_body: 20_000,
  limit: { name: 'reports', points: 3000, seconds: 60, by: 'address', counts: 'requests' },
  problems: ['signature_wrong'],
  async handle({ params: { clinic_id = '', id = '' }, body: { bytes }, request }, ctx) {
    const fields = await readSigned(ctx, { clinic_id, bytes, request })
    if (isId(id)) await takeTwilioReport(ctx, { clinic_id, id, fields })
  }
})
