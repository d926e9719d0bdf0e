import { describeFactors } from '#host/server/core/people/factors/describe-factors.ts'
import { personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Factor } from '#host/shared/contract.ts'
import * as z from 'zod'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'List your second factors. Beside the list: how many recovery codes are left.',
  response: z.array(Factor),
  handle: ({ request }, host) => describeFactors(host, personOf(request).user_id)
})
