import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { Restarting } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Restart the service: all instances, one after the other.',
  response: Restarting,
  status: 202,
  async handle(_, host) {
    await host.restart()
    return { status: 'restarting', boot_id: host.boot_id }
  }
})
