import * as z from 'zod'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { listClinicTokens } from '#host/server/core/people/tokens/clinic-tokens.ts'
import { Token } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  people_only: true,
  summary: 'List the clinic\'s tokens.',
  response: z.array(Token),
  handle: ({ request }, host) => listClinicTokens(host, clinicOf(request))
})
