import { reply } from '@svc/kit'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Get this document.',
  handle: async (_, host) => reply({ headers: { 'content-type': 'application/json' }, body: await host.describeApi() })
})
