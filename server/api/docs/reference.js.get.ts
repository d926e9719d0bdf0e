import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { docsProgram } from '#host/server/core/http/openapi/docs-page.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Get the script of the page.',
  handle: (_, { config }) => docsProgram(config.root)
})
