import { idOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { deleteWebhook } from '#host/server/core/webhooks/webhooks.ts'

export default defineCoreEndpoint({
  access: { permission: 'webhooks.manage' },
  summary: 'Delete a webhook and its deliveries.',
  handle: ({ request }, host) => deleteWebhook(host, { ...idOf(request), who: whoOf(request) })
})
