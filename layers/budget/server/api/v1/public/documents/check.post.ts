import { defineEndpoint } from '@svc/kit'
import { checkDocument } from '#budget/server/services/proof/check-document.ts'
import { CheckDocumentAnswer, CheckDocumentRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: 'none',
  limit: { name: 'documents-check', points: 30, seconds: 60, by: 'address', counts: 'requests' },
  summary: 'Check whether a file with this SHA-256 is a document signed here, and whether its acceptance was withdrawn.',
  body: CheckDocumentRequest,
  response: CheckDocumentAnswer,
  handle: ({ body }, ctx) => checkDocument(ctx, body)
})
