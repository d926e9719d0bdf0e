import { defineEndpoint, page } from '@svc/kit'
import * as z from 'zod'
import { at } from '#budget/server/http/staff.ts'
import { listAccessLog } from '#budget/server/services/log/list-access-log.ts'
import { AccessLogRow, LogQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.read' },
  summary: 'List what was done with the link and by whom, newest first.',
  query: LogQuery,
  response: z.array(AccessLogRow),
  async handle({ query, request }, ctx) {
    const { rows, total } = await listAccessLog(ctx, { ...at(request), ...query })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
