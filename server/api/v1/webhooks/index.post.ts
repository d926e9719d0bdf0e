import { clinicOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { createWebhook } from '#host/server/core/webhooks/webhooks.ts'
import { CreatedWebhook, NewWebhook } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'webhooks.manage' },
  summary: 'Add a webhook. Only this answer contains its secret.',
  body: NewWebhook,
  response: CreatedWebhook,
  shown_once: ['secret'],
  status: 201,
  problems: ['too_many_webhooks'],
  handle: ({ body, request }, host) =>
    createWebhook(host, { ...body, clinic_id: clinicOf(request), who: whoOf(request) })
})
