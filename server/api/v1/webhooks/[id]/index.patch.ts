import { answerWebhook } from '#host/server/core/webhooks/answer-webhook.ts'
import { idOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { changeWebhook } from '#host/server/core/webhooks/webhooks.ts'
import { Webhook, WebhookChange } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'webhooks.manage' },
  summary: 'Change a webhook, or turn it off and on. A new address is tried at once.',
  body: WebhookChange,
  response: Webhook,
  problems: ['precondition_failed'],
  handle: async ({ body, request }, host) =>
    answerWebhook(
      await changeWebhook(host, {
        ...idOf(request),
        change: body,
        if_match: request.headers['if-match'],
        who: whoOf(request)
      })
    )
})
