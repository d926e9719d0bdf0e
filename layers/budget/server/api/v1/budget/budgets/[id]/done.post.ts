import { defineEndpoint } from '@svc/kit'
import { answer, detailOf } from '#budget/server/http/detail.ts'
import { by } from '#budget/server/http/staff.ts'
import { recordDone } from '#budget/server/services/decision/record-done.ts'
import { BudgetDetail, DoneRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'budget.write' },
  summary: 'Record when accepted lines were done, or that they were not.',
  body: DoneRequest,
  response: BudgetDetail,
  problems: ['wrong_state', 'patient_erased'],
  handle: async ({ body, request }, ctx) =>
    answer(await detailOf(ctx, await recordDone(ctx, { ...by(request), ...body })))
})
