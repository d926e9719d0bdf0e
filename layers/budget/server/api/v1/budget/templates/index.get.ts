import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { listTemplates } from '#budget/server/services/templates/list-templates.ts'
import { TemplateQuery, TemplateRow } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'List templates of budgets by name. `search` is any part of it.',
  query: TemplateQuery,
  response: z.array(TemplateRow),
  async handle({ query, request }, ctx) {
    const { rows, total } = await listTemplates(ctx, { clinic_id: request.actor.clinic_id, ...query })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
