import { defineEndpoint } from '@svc/kit'
import { needsSession, patientOf, unacceptable } from '#budget/server/http/patient.ts'
import { acceptBudget } from '#budget/server/services/decision/accept-budget.ts'
import { linkSession } from '#budget/server/services/link/find-link.ts'
import { AcceptAnswer, AcceptRequest, ReaderQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: linkSession,
  summary: 'Accept the budget with a signature. The signed PDF follows.',
  query: ReaderQuery,
  body: AcceptRequest,
  response: AcceptAnswer,
  problems: [...needsSession, ...unacceptable],
  handle: ({ query, body, request }, ctx) => acceptBudget(ctx, { ...body, ...patientOf(request), locale: query.locale })
})
