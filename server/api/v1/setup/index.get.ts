import { problem } from '@svc/kit'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { SetupNeeded } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Whether the instance waits for its first clinic. 404 once there is one.',
  response: SetupNeeded,
  problems: ['not_found'],
  async handle(_, host) {
    if (!await host.setup.isNeeded()) throw problem('not_found')
    return { needed: true }
  }
})
