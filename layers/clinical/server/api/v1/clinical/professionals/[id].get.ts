import { defineEndpoint } from '@svc/kit'
import { answer } from '#clinical/server/http/professionals.ts'
import { getProfessional } from '#clinical/server/services/get-professional.ts'
import { Professional } from '#clinical/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'clinical.read' },
  summary: 'Get a clinician.',
  response: Professional,
  handle: async ({ params, request }, ctx) =>
    answer(await getProfessional(ctx, { clinic_id: request.actor.clinic_id, id: params.id! }))
})
