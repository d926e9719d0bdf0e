import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { refuseRestart } from '#host/server/core/modules/orphans.ts'
import { Restarting } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Restart the service: all instances, one after the other.',
  response: Restarting,
  status: 202,
  problems: ['orphan_modules'],
  async handle(_, host) {
    await refuseRestart(host.database.sql, host.config)
    await host.restart()
    return { status: 'restarting', boot_id: host.boot_id }
  }
})
