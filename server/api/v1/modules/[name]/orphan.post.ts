import { runModuleCommand } from '#host/server/core/http/answers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { ScheduleRequest, Scheduled } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Gives up a module whose code is gone.',
  body: ScheduleRequest,
  response: Scheduled,
  status: 202,
  also: { 200: 'Nothing to do, or a rehearsal.' },
  problems: ['module_refused', 'modules_busy'],
  handle: ({ params, body }, host) => runModuleCommand(host, { command: 'orphan', name: params.name!, ...body })
})
