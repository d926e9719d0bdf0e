import * as z from 'zod'
import { actorOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { listSettings } from '#host/server/core/settings/serve-settings.ts'
import { ModuleSettings } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  takes_clinic_token: true,
  summary: 'List the modules whose settings you may change, with the fields of each.',
  response: z.array(ModuleSettings),
  handle: ({ request }, host) => listSettings(host, actorOf(request))
})
