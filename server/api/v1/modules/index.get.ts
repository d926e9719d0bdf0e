import * as z from 'zod'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { listModules } from '#host/server/core/modules/report.ts'
import { ModuleRow } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'List all modules, as `svc modules list --json` does.',
  response: z.array(ModuleRow),
  handle: (_, { database: { sql }, config }) => listModules(sql, config)
})
