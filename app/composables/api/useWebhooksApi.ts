import * as z from 'zod'
import {
  CreatedWebhook,
  ReplayedAll,
  Webhook,
  WebhookDelivery,
  type NewWebhook,
  type WebhookChange
} from '../../../shared/webhooks.ts'

const WEBHOOKS = '/api/v1/webhooks'

/** The clinic's outgoing webhooks and their deliveries. */
export function useWebhooksApi() {
  const api = useApi()
  return {
    list: (signal?: AbortSignal) => api.get(WEBHOOKS, { signal, answer: z.array(Webhook) }),
    get: (id: string, signal?: AbortSignal) => api.get(`${WEBHOOKS}/${id}`, { signal, answer: Webhook }),
    /** Only this response contains the secret. */
    add: (body: NewWebhook) => api.post(WEBHOOKS, { body, answer: CreatedWebhook }),
    change: (id: string, body: WebhookChange, if_match: string | null = null) =>
      api.patch(`${WEBHOOKS}/${id}`, { body, if_match, answer: Webhook }),
    remove: (id: string) => api.remove(`${WEBHOOKS}/${id}`),
    deliveries: (id: string, query: { status?: string, page?: number }, signal?: AbortSignal) =>
      api.get(`${WEBHOOKS}/${id}/deliveries`, { query, signal, answer: z.array(WebhookDelivery) }),
    replay: (id: string, delivery_id: string) =>
      api.post(`${WEBHOOKS}/${id}/replay`, { body: { delivery_id }, answer: WebhookDelivery }),
    /** Resends all failed deliveries. */
    replayFailed: (id: string) => api.post(`${WEBHOOKS}/${id}/replay`, { body: { failed: true }, answer: ReplayedAll })
  }
}
