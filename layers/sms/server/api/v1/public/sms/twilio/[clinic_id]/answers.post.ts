import { defineEndpoint } from '@svc/kit'
import { readSigned } from '#sms/server/http/read-signed.ts'
import { takeAnswer } from '#sms/server/services/take-answer.ts'

const WHATSAPP = 'whatsapp:'

export default defineEndpoint({
  access: 'none',
  summary: 'Twilio passes on what a patient has answered.',
  raw_body: ['application/x-www-form-urlencoded'],
  max_body: 20_000,
  limit: { name: 'answers', points: 600, seconds: 60, by: 'address', counts: 'requests' },
  problems: ['signature_wrong'],
  async handle({ params: { clinic_id = '' }, body: { bytes }, request }, ctx) {
    const { From = '', Body = '', OptOutType } = await readSigned(ctx, { clinic_id, bytes, request })
    await takeAnswer(ctx, {
      clinic_id,
      channel: From.startsWith(WHATSAPP) ? 'whatsapp' : 'sms',
      from: From.replace(WHATSAPP, ''),
      text: Body,
      is_stop: OptOutType === 'STOP'
    })
    // Twilio's markup for “answer nothing”.
    return ctx.reply({ status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: '<Response/>' })
  }
})
