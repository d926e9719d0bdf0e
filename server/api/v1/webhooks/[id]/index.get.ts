import { answerWebhook } from '#host/server/core/webhooks/answer-webhook.ts'
import { idOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { getWebhook } from '#host/server/core/webhooks/webhooks.ts'
import { Webhook } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'webhooks.manage' },
  summary: 'Get a webhook.',
  response: Webhook,
  handle: async ({ request }, host) => answerWebhook(await getWebhook(host.db, idOf(request)))
})
