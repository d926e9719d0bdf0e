import { page } from '@svc/kit'
import * as z from 'zod'
import { idOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { listDeliveries } from '#host/server/core/webhooks/deliveries.ts'
import { WebhookDelivery, WebhookDeliveryQuery } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'webhooks.manage' },
  summary: 'List deliveries with their attempts, newest first. They are kept for 30 days.',
  query: WebhookDeliveryQuery,
  response: z.array(WebhookDelivery),
  async handle({ query, request }, host) {
    const { rows, total } = await listDeliveries(host.db, idOf(request), query)
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
