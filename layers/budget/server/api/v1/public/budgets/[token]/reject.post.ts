import { defineEndpoint } from '@svc/kit'
import { needsSession, patientOf, undecidable } from '#budget/server/http/patient.ts'
import { linkSession } from '#budget/server/services/link/find-link.ts'
import { rejectBudget } from '#budget/server/services/decision/reject-budget.ts'
import { ReaderQuery, RejectAnswer, RejectRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: linkSession,
  summary: 'Decline the budget with a reason.',
  query: ReaderQuery,
  body: RejectRequest,
  response: RejectAnswer,
  problems: [...needsSession, ...undecidable],
  handle: ({ query, body, request }, ctx) => rejectBudget(ctx, { ...body, ...patientOf(request), locale: query.locale })
})
