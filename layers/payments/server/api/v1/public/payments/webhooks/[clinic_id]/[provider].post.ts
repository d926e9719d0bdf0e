import { defineEndpoint } from '@svc/kit'
import { readReport } from '#payments/server/services/attempts/read-report.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'A payment provider reports something about a payment. Its signature, or its own answer, proves it.',
  raw_body: ['application/json', 'application/x-www-form-urlencoded'],
  max_body: 65_536,
  limit: { name: 'reports', points: 600, seconds: 60, by: 'address', counts: 'requests' },
  problems: ['signature_wrong', 'provider_unreachable', 'provider_refused'],
  handle: ({ params: { clinic_id = '', provider = '' }, body: { bytes }, request: { headers } }, ctx) =>
    readReport(ctx, { clinic_id, provider, bytes, headers })
})
