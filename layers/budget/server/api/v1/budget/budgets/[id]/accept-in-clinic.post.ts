import { defineEndpoint } from '@svc/kit'
import { unacceptableInClinic, witness } from '#budget/server/http/staff.ts'
import { acceptBudget } from '#budget/server/services/decision/accept-budget.ts'
import { AcceptAnswer, AcceptRequest, ReaderQuery } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  people_only: true,
  summary: 'Record that the patient accepts in the clinic. You are the witness.',
  query: ReaderQuery,
  body: AcceptRequest,
  response: AcceptAnswer,
  problems: [...unacceptableInClinic, 'patient_erased'],
  handle: ({ query, body, request }, ctx) => acceptBudget(ctx, { ...body, ...witness(request), locale: query.locale })
})
