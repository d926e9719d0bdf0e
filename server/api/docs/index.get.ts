import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { docsPage } from '#host/server/core/http/openapi/docs-page.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Show this document as a page.',
  handle: () => docsPage()
})
