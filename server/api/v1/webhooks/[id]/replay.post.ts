import * as z from 'zod'
import { idOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { replayDelivery, replayFailed } from '#host/server/core/webhooks/deliveries.ts'
import { ReplayedAll, ReplayRequest, WebhookDelivery } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'webhooks.manage' },
  summary:
    'Resend a delivery with the same webhook-id; a waiting one is sent now. Or resend all failed deliveries, oldest first: the answer says how many.',
  body: ReplayRequest,
  response: z.union([WebhookDelivery, ReplayedAll]),
  problems: ['wrong_state'],
  handle: async ({ body: { delivery_id }, request }, host) =>
    delivery_id === undefined
      ? await replayFailed(host.db, idOf(request))
      : await replayDelivery(host.db, idOf(request), delivery_id)
})
