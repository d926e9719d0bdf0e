import { defineEndpoint } from '@svc/kit'
import { answer, by } from '#clinical/server/http/professionals.ts'
import { changeProfessional } from '#clinical/server/services/change-professional.ts'
import { Professional, ProfessionalChange } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.write' },
  summary: 'Change the given fields. An inactive clinician stays on existing budgets.',
  body: ProfessionalChange,
  response: Professional,
  problems: ['external_id_taken', 'precondition_failed'],
  handle: async ({ params, body, request }, ctx) =>
    answer(
      await changeProfessional(ctx, {
        ...by(request),
        id: params.id!,
        if_match: request.headers['if-match'],
        change: body
      })
    )
})
