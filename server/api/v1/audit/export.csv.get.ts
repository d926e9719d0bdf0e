import { reply } from '@svc/kit'
import { exportAudit } from '#host/server/core/audit/export-audit.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { AuditFilter } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'Get who did what in the clinic as CSV, newest first.',
  query: AuditFilter,
  handle: ({ query, request }, host) => reply({ csv: exportAudit(host, { ...query, clinic_id: clinicOf(request) }) })
})
