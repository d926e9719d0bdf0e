import * as z from 'zod'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { listOperations } from '#host/server/core/modules/report.ts'
import { ModuleOperation, OperationQuery } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'List the steps of installations, upgrades and removals, newest first.',
  query: OperationQuery,
  response: z.array(ModuleOperation),
  handle: ({ query }, host) => listOperations(host.database.sql, query)
})
