import * as z from 'zod'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { listWebhooks } from '#host/server/core/webhooks/webhooks.ts'
import { Webhook } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'webhooks.manage' },
  summary: 'List the clinic\'s webhooks and their state.',
  response: z.array(Webhook),
  handle: ({ request }, host) => listWebhooks(host.db, clinicOf(request))
})
