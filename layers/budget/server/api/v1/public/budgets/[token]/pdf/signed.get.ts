import { defineEndpoint } from '@svc/kit'
import { byPatient, limitHeaders, notThere, signedPdf, signedPdfSession } from '#budget/server/http/documents.ts'
import { needsSession } from '#budget/server/http/patient.ts'
import { downloadSignedPdf } from '#budget/server/services/document/download-signed-pdf.ts'
import { toPage } from '#budget/server/services/link/find-link.ts'

export default defineEndpoint({
  access: signedPdfSession,
  summary: 'Get the signed PDF as it was stored, at most ten times a minute.',
  also: toPage,
  problems: [...needsSession, ...notThere, 'too_many_requests'],
  async handle({ request }, ctx) {
    const { budget, now, downloads } = request.session
    const document = await downloadSignedPdf(ctx, {
      budget,
      now,
      downloads,
      ...byPatient(request),
      no_effect: request.head
    })
    return signedPdf(document, budget, limitHeaders(document))
  }
})
