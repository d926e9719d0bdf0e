import { page } from '@svc/kit'
import * as z from 'zod'
import { listAudit } from '#host/server/core/audit/list-audit.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { AuditQuery, AuditRow } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'List who did what in the clinic, newest first.',
  query: AuditQuery,
  response: z.array(AuditRow),
  async handle({ query, request }, host) {
    const { rows, total } = await listAudit(host, { ...query, clinic_id: clinicOf(request) })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
