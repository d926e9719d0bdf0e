import { defineEndpoint } from '@svc/kit'
import { answer, by } from '#catalog/server/http/treatments.ts'
import { changeTreatment } from '#catalog/server/services/change-treatment.ts'
import { Treatment, TreatmentChange } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.write' },
  summary: 'Changes the given fields, for budgets to come; one that is no longer offered is set inactive.',
  body: TreatmentChange,
  response: Treatment,
  problems: ['code_taken', 'precondition_failed', 'price_mode_changed'],
  handle: async ({ params, body, request }, ctx) =>
    answer(
      await changeTreatment(ctx, {
        ...by(request),
        id: params.id!,
        if_match: request.headers['if-match'],
        change: body
      })
    )
})
