import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listBudgets } from '#budget/server/services/staff-view/list-budgets.ts'
import { ListQuery, ListRow } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'List the clinic\'s budgets, with the number in each state.',
  query: ListQuery,
  response: z.array(ListRow),
  async handle({ query, request }, ctx) {
    const { rows, ...counted } = await listBudgets(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { ...counted, page: query.page, page_size: query.page_size })
  }
})
