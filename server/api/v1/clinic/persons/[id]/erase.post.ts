import { idOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { erasePerson } from '#host/server/core/privacy/erase.ts'
import { EraseRequest, ErasureReport } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'privacy.manage' },
  summary: 'Erase a patient\'s data for good, except what the law requires to keep. With `dry_run`, only show what would happen.',
  body: EraseRequest,
  response: ErasureReport,
  problems: ['module_not_running', 'modules_busy', 'erasure_blocked'],
  handle: ({ body, request }, host) =>
    erasePerson(host, {
      ...idOf(request),
      dry_run: body.dry_run,
      by: request.actor.user_id,
      who: whoOf(request)
    })
})
