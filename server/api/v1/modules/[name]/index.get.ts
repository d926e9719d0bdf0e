import { problem } from '@svc/kit'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { describeModule } from '#host/server/core/modules/report.ts'
import { ModuleInfo } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Get a module and its last ten steps, as `svc modules info --json` does.',
  response: ModuleInfo,
  async handle({ params }, { database: { sql }, config }) {
    const module = await describeModule(sql, config, params.name!)
    if (!module) throw problem('not_found', { detail: 'There is no such module.' })
    return module
  }
})
