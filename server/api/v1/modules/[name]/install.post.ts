import { runModuleCommand } from '#host/server/core/modules/run-module-command.ts'
import { whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { ScheduleRequest, Scheduled } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Schedule the installation of a module and its missing dependencies.',
  body: ScheduleRequest,
  response: Scheduled,
  status: 202,
  also: { 200: 'Nothing to do, or a dry run.' },
  problems: ['module_refused', 'modules_busy'],
  handle: ({ params, body, request }, host) =>
    runModuleCommand(host, { command: 'install', name: params.name!, ...body }, whoOf(request))
})
