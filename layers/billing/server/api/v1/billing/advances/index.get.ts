import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listAdvances } from '#billing/server/services/advances/list-advances.ts'
import { AdvanceQuery, AdvanceRow } from '#billing/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'billing.read' },
  summary: 'List the clinic\'s advances, with the number in each state.',
  query: AdvanceQuery,
  response: z.array(AdvanceRow),
  async handle({ query, request }, ctx) {
    const { rows, ...counted } = await listAdvances(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { ...counted, page: query.page, page_size: query.page_size })
  }
})
