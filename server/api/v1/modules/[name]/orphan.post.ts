import { runModuleCommand } from '#host/server/core/modules/run-module-command.ts'
import { whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { ScheduleRequest, Scheduled } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Mark a module as uninstalled whose code is missing.',
  body: ScheduleRequest,
  response: Scheduled,
  status: 202,
  also: { 200: 'Nothing to do, or a dry run.' },
  problems: ['module_refused', 'modules_busy'],
  handle: ({ params, body, request }, host) =>
    runModuleCommand(host, { command: 'orphan', name: params.name!, ...body }, whoOf(request))
})
