import { defineEndpoint } from '@svc/kit'
import { byPatient, fileName, pdf } from '#budget/server/http/documents.ts'
import { needsSession } from '#budget/server/http/patient.ts'
import { downloadBudgetPdf } from '#budget/server/services/document/download-budget-pdf.ts'
import { hasNoEffect, linkSession, type LinkSession, toPage } from '#budget/server/services/link/find-link.ts'
import { ReaderQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: linkSession,
  // The PDF is drawn for each request: one visitor must not keep the process busy.
  limit: {
    name: 'pdf',
    points: 30,
    seconds: 60,
    by: ({ session }) => (session as LinkSession).budget.id,
    counts: 'requests'
  },
  summary: 'Get the unsigned PDF.',
  query: ReaderQuery,
  also: toPage,
  problems: [...needsSession, 'content_tampered', 'busy'],
  async handle({ query, request }, ctx) {
    const { budget, now } = request.session as LinkSession
    const bytes = await downloadBudgetPdf(ctx, {
      budget,
      now,
      locale: query.locale,
      ...byPatient(request),
      no_effect: hasNoEffect(request)
    })
    return pdf(bytes, `inline; filename="${fileName(budget)}"`)
  }
})
