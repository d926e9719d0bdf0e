import { defineEndpoint, page, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { CreatedWebhook, NewWebhook, ReplayRequest, Webhook, WebhookChange, WebhookDelivery, WebhookDeliveryQuery } from '../../../shared/contract.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'
import type { Services } from '../services.ts'
import { listDeliveries, replayDelivery } from '../webhooks/deliveries.ts'
import { changeWebhook, createWebhook, deleteWebhook, getWebhook, listWebhooks } from '../webhooks/webhooks.ts'

const access = { permission: 'webhooks.manage' }
const clinicOf = (request: StaffRequest) => request.actor.clinic_id
const nameOf = (params: Record<string, string>, request: StaffRequest) => ({ clinic_id: clinicOf(request), id: params.id! })

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
    handle: ({ params, request }) => getWebhook(services.db, nameOf(params, request))
  }),
  defineEndpoint({
    method: 'patch', path: '/webhooks/:id', access,
    summary: 'Change a webhook, or switch it off and on. A new address is tried at once.',
    body: WebhookChange, response: Webhook,
    handle: ({ params, body, request }) => changeWebhook(services, { ...nameOf(params, request), change: body })
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
    summary: 'Send a delivery again, with the same webhook-id; one that waits goes now.',
    body: ReplayRequest, response: WebhookDelivery, problems: ['wrong_state'],
    handle: ({ params, body, request }) => replayDelivery(services.db, nameOf(params, request), body.delivery_id)
  })
]
