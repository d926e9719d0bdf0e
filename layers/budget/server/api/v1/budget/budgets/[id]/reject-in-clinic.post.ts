import { defineEndpoint } from '@svc/kit'
import { undecidableInClinic, witness } from '#budget/server/http/staff.ts'
import { rejectBudget } from '#budget/server/services/decision/reject-budget.ts'
import { ReaderQuery, RejectAnswer, RejectRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  people_only: true,
  summary: 'Record that the patient declines in the clinic. You are the witness.',
  query: ReaderQuery,
  body: RejectRequest,
  response: RejectAnswer,
  problems: [...undecidableInClinic, 'patient_erased'],
  handle: ({ query, body, request }, ctx) => rejectBudget(ctx, { ...body, ...witness(request), locale: query.locale })
})
