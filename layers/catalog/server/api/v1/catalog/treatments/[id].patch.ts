import { defineEndpoint } from '@svc/kit'
import { answer, by, who } from '#catalog/server/http/treatments.ts'
import { changeTreatment } from '#catalog/server/services/change-treatment.ts'
import { Treatment, TreatmentChange } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.write' },
  summary: 'Change the given fields. Existing budgets don\'t change. Set `active` to false to stop offering it.',
  body: TreatmentChange,
  response: Treatment,
  problems: ['code_taken', 'external_id_taken', 'precondition_failed', 'price_mode_changed'],
  handle: async ({ params, body, request }, ctx) =>
    answer(
      await changeTreatment(ctx, {
        ...by(request),
        who: who(request),
        id: params.id!,
        if_match: request.headers['if-match'],
        change: body
      })
    )
})
