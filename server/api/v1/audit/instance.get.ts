import { page } from '@svc/kit'
import * as z from 'zod'
import { listAudit } from '#host/server/core/audit/list-audit.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { AuditQuery, AuditRow } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'List what was done to the instance itself, newest first: modules, tokens of the instance.',
  query: AuditQuery,
  response: z.array(AuditRow),
  async handle({ query }, host) {
    const { rows, total } = await listAudit(host, { ...query, clinic_id: null })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
