import * as z from 'zod'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { describeActive } from '#host/server/core/modules/active.ts'
import { ActiveModule } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  takes_clinic_token: true,
  summary: 'List the modules that are installed and running in this process.',
  response: z.array(ActiveModule),
  handle: (_, host) => describeActive(host)
})
