import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listRequests } from '#payments/server/services/requests/list-requests.ts'
import { RequestQuery, RequestRow } from '#payments/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'payments.read' },
  summary: 'List the clinic\'s payment requests, with the number in each state.',
  query: RequestQuery,
  response: z.array(RequestRow),
  async handle({ query, request }, ctx) {
    const { rows, ...counted } = await listRequests(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { ...counted, page: query.page, page_size: query.page_size })
  }
})
