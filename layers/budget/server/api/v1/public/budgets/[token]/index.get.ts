import { defineEndpoint } from '@svc/kit'
import { needsSession } from '#budget/server/http/patient.ts'
import { hasNoEffect, readingSession, toPage } from '#budget/server/services/link/find-link.ts'
import { viewBudgetByLink } from '#budget/server/services/link/view-budget-by-link.ts'
import { LinkView, ReaderQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: readingSession,
  summary: 'Get the budget as the patient sees it. The first read marks it as viewed.',
  query: ReaderQuery,
  response: LinkView,
  also: toPage,
  problems: [...needsSession, 'content_tampered'],
  handle: ({ query, request }, ctx) =>
    viewBudgetByLink(ctx, {
      session: request.session,
      client: request.client,
      locale: query.locale,
      no_effect: hasNoEffect(request)
    })
})
