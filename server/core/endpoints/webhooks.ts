import { defineEndpoint, etagOf, page, reply, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { CreatedWebhook, NewWebhook, ReplayedAll, ReplayRequest, Webhook, WebhookChange, WebhookDelivery, WebhookDeliveryQuery } from '../../../shared/contract.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'
import type { Services } from '../services.ts'
import { listDeliveries, replayDelivery, replayFailed } from '../webhooks/deliveries.ts'
import { changeWebhook, createWebhook, deleteWebhook, editOf, getWebhook, listWebhooks } from '../webhooks/webhooks.ts'

const access = { permission: 'webhooks.manage' }
const clinicOf = (request: StaffRequest) => request.actor.clinic_id
const nameOf = (params: Record<string, string>, request: StaffRequest) => ({ clinic_id: clinicOf(request), id: params.id! })

const answer = (webhook: Awaited<ReturnType<typeof getWebhook>>) => reply({ data: webhook, headers: { etag: etagOf(editOf(webhook)) } })

export const webhookEndpoints = (services: Services): CoreEndpoint[] => [...ownEndpoints(services), ...deliveryEndpoints(services)]

const ownEndpoints = (services: Services): CoreEndpoint[] => [
  defineEndpoint({
    method: 'get', path: '/webhooks', access,
    summary: 'The outgoing webhooks of the clinic, and how they fare.',
    response: z.array(Webhook),
    handle: ({ request }) => listWebhooks(services.db, clinicOf(request))
  }),
  defineEndpoint({
    method: 'post', path: '/webhooks', access,
    summary: 'Add a webhook. Its secret is in this answer only.',
    body: NewWebhook, response: CreatedWebhook, status: 201, problems: ['too_many_webhooks'],
    handle: ({ body, request }) => createWebhook(services, { ...body, clinic_id: clinicOf(request) })
  }),
  defineEndpoint({
    method: 'get', path: '/webhooks/:id', access,
    summary: 'One webhook.',
    response: Webhook,
    handle: async ({ params, request }) => answer(await getWebhook(services.db, nameOf(params, request)))
  }),
  defineEndpoint({
    method: 'patch', path: '/webhooks/:id', access,
    summary: 'Change a webhook, or switch it off and on. A new address is tried at once.',
    body: WebhookChange, response: Webhook, problems: ['precondition_failed'],
    handle: async ({ params, body, request }) =>
      answer(await changeWebhook(services, { ...nameOf(params, request), change: body, if_match: request.headers['if-match'] }))
  }),
  defineEndpoint({
    method: 'delete', path: '/webhooks/:id', access,
    summary: 'Delete a webhook and its deliveries.',
    handle: ({ params, request }) => deleteWebhook(services.db, nameOf(params, request))
  })
]

const deliveryEndpoints = (services: Services): CoreEndpoint[] => [
  defineEndpoint({
    method: 'get', path: '/webhooks/:id/deliveries', access,
    summary: 'What was sent, and what is to be, with the attempts; newest first, for 30 days.',
    query: WebhookDeliveryQuery, response: z.array(WebhookDelivery),
    async handle({ params, query, request }) {
      const { rows, total } = await listDeliveries(services.db, nameOf(params, request), query)
      return page(rows, { total, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'post', path: '/webhooks/:id/replay', access,
    summary: 'Send a delivery again, with the same webhook-id; one that waits goes now. Or all that were given up, the oldest first: then the answer says how many.',
    body: ReplayRequest, response: z.union([WebhookDelivery, ReplayedAll]), problems: ['wrong_state'],
    handle: async ({ params, body: { delivery_id }, request }) => delivery_id === undefined
      ? await replayFailed(services.db, nameOf(params, request))
      : await replayDelivery(services.db, nameOf(params, request), delivery_id)
  })
]
