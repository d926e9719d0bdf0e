import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { countModules, listModules } from '#host/server/core/modules/report.ts'
import { ModuleStatus } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Count modules by state, and list pending and errored ones.',
  response: ModuleStatus,
  handle: async (_, { database: { sql }, config }) => countModules(await listModules(sql, config))
})
